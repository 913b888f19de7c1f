-- +goose Up
-- Files of people: how they are read, and what became of them. The bytes are in the file store for a day, under
-- file_key; mapping is JSON.
CREATE TABLE contact_imports (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    event_id        text COLLATE "C" NOT NULL,
    name            text NOT NULL,
    size            bigint NOT NULL CHECK (size >= 0),
    sha256          text COLLATE "C" NOT NULL CHECK (length(sha256) = 64),
    file_key        text COLLATE "C" NOT NULL,
    encoding        text COLLATE "C" NOT NULL,
    delimiter       text COLLATE "C" NOT NULL,
    mapping         text NOT NULL,
    policy          text COLLATE "C" NOT NULL CHECK (policy IN ('fill', 'overwrite', 'skip')),
    state           text COLLATE "C" NOT NULL
        CHECK (state IN ('uploaded', 'waiting', 'running', 'finished', 'cancelled', 'failed')),
    message         text NOT NULL,
    total           integer NOT NULL,
    done            integer NOT NULL,
    created         integer NOT NULL,
    updated         integer NOT NULL,
    skipped         integer NOT NULL,
    failed          integer NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    user_name       text NOT NULL,
    claimed_until   timestamptz(3),
    created_at      timestamptz(3) NOT NULL,
    started_at      timestamptz(3),
    finished_at     timestamptz(3),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
CREATE INDEX contact_imports_event ON contact_imports (event_id, created_at);
CREATE INDEX contact_imports_file ON contact_imports (organization_id, sha256);
CREATE INDEX contact_imports_open ON contact_imports (created_at) WHERE state IN ('waiting', 'running');

-- +goose Down
DROP TABLE contact_imports;
