-- +goose Up
-- What staff ask of speakers between acceptance and the stage. Who has a task is a query of its filters, so that whoever
-- joins later has it too.
CREATE TABLE tasks (
    id           text COLLATE "C" PRIMARY KEY,
    event_id     text COLLATE "C" NOT NULL REFERENCES events,
    title        text NOT NULL CHECK (title <> ''),
    instructions text NOT NULL,
    kind         text COLLATE "C" NOT NULL CHECK (kind IN ('tick', 'form', 'file', 'link')),
    asked_of     text COLLATE "C" NOT NULL CHECK (asked_of IN ('speaker', 'session')),
    due_at       timestamptz(3),
    is_required  boolean NOT NULL,
    is_reminded  boolean NOT NULL, -- by itself, before and after it is due
    filters      text NOT NULL,
    part_id      text COLLATE "C" REFERENCES call_parts (id) ON DELETE SET NULL,
    file_kinds   text NOT NULL,
    max_bytes    integer,
    is_public    boolean NOT NULL,
    position     integer NOT NULL,
    created_at   timestamptz(3) NOT NULL,
    updated_at   timestamptz(3) NOT NULL,
    UNIQUE (event_id, id),
    CHECK (kind = 'form' OR part_id IS NULL),
    CHECK (kind IN ('file', 'link') OR NOT is_public)
);

-- A task as a session or a person has it, once something of it was done: until then there is no row.
CREATE TABLE deliverables (
    id            text COLLATE "C" PRIMARY KEY,
    event_id      text COLLATE "C" NOT NULL,
    task_id       text COLLATE "C" NOT NULL,
    session_id    text COLLATE "C",
    contact_id    text COLLATE "C",
    state         text COLLATE "C" NOT NULL CHECK (state IN ('open', 'done', 'changes', 'approved', 'waived')),
    words         text NOT NULL,
    due_at        timestamptz(3),
    author_id     text COLLATE "C",
    by_name       text NOT NULL,
    state_at      timestamptz(3) NOT NULL,
    reminded_at   timestamptz(3),
    reminded_days integer,
    updated_at    timestamptz(3) NOT NULL,
    UNIQUE (task_id, session_id),
    UNIQUE (task_id, contact_id),
    CHECK ((session_id IS NULL) <> (contact_id IS NULL)),
    FOREIGN KEY (event_id, task_id) REFERENCES tasks (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id),
    FOREIGN KEY (event_id, author_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX deliverables_event ON deliverables (event_id);
CREATE INDEX deliverables_done ON deliverables (task_id) WHERE state = 'done';
CREATE INDEX deliverables_session ON deliverables (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX deliverables_contact ON deliverables (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX deliverables_author ON deliverables (author_id) WHERE author_id IS NOT NULL;

-- What was handed in: each file or link is a version, and the latest counts. Its author is a speaker, or staff by name.
CREATE TABLE deliverable_versions (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL,
    task_id    text COLLATE "C" NOT NULL,
    session_id text COLLATE "C",
    contact_id text COLLATE "C",
    file_id    text COLLATE "C" REFERENCES files (id),
    url        text NOT NULL,
    author_id  text COLLATE "C",
    by_name    text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CHECK ((session_id IS NULL) <> (contact_id IS NULL)),
    CHECK ((file_id IS NULL) <> (url = '')),
    FOREIGN KEY (event_id, task_id) REFERENCES tasks (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id),
    FOREIGN KEY (event_id, author_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX deliverable_versions_event ON deliverable_versions (event_id);
CREATE INDEX deliverable_versions_task ON deliverable_versions (task_id);
CREATE INDEX deliverable_versions_session ON deliverable_versions (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX deliverable_versions_contact ON deliverable_versions (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX deliverable_versions_author ON deliverable_versions (author_id) WHERE author_id IS NOT NULL;
CREATE UNIQUE INDEX deliverable_versions_file ON deliverable_versions (file_id) WHERE file_id IS NOT NULL;

-- What staff and speakers say to each other about a deliverable.
CREATE TABLE deliverable_comments (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL,
    task_id    text COLLATE "C" NOT NULL,
    session_id text COLLATE "C",
    contact_id text COLLATE "C",
    text       text NOT NULL CHECK (text <> ''),
    author_id  text COLLATE "C",
    by_name    text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CHECK ((session_id IS NULL) <> (contact_id IS NULL)),
    FOREIGN KEY (event_id, task_id) REFERENCES tasks (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id),
    FOREIGN KEY (event_id, author_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX deliverable_comments_task ON deliverable_comments (task_id);
CREATE INDEX deliverable_comments_session ON deliverable_comments (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX deliverable_comments_contact ON deliverable_comments (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX deliverable_comments_author ON deliverable_comments (author_id) WHERE author_id IS NOT NULL;

-- +goose Down
DROP TABLE deliverable_comments;
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE purpose = 'deliverable';
DROP TABLE deliverable_versions;
DELETE FROM files WHERE purpose = 'deliverable';
DROP TABLE deliverables;
DROP TABLE tasks;
