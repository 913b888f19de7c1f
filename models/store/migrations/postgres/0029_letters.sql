-- +goose Up
-- Every change of an abstract to accepted or declined, numbered. previous is '' of one that came in decided.
CREATE TABLE decisions (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    number     integer NOT NULL CHECK (number > 0),
    decision   text COLLATE "C" NOT NULL CHECK (decision IN ('accepted', 'declined')),
    previous   text COLLATE "C" NOT NULL,
    by_name    text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (session_id, number),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);

-- What letters are made from: one for each decision, and those that staff keep for free letters.
CREATE TABLE letter_templates (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL REFERENCES events,
    kind       text COLLATE "C" NOT NULL CHECK (kind IN ('accepted', 'declined', 'free')),
    name       text NOT NULL,
    subject    text NOT NULL CHECK (subject <> ''),
    body       text NOT NULL CHECK (body <> ''),
    version    integer NOT NULL CHECK (version > 0),
    by_name    text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX letter_templates_decision ON letter_templates (event_id, kind) WHERE kind <> 'free';
CREATE INDEX letter_templates_event ON letter_templates (event_id);

-- A letter to one person: of a decision, or a free one without a session. contact_id is no foreign key: who decides
-- holds the session, and people are held before sessions. Whoever moves or erases people follows contactTables.
CREATE TABLE letters_new (
    id               text COLLATE "C" PRIMARY KEY,
    event_id         text COLLATE "C" NOT NULL REFERENCES events,
    session_id       text COLLATE "C",
    number           integer,
    kind             text COLLATE "C" NOT NULL CHECK (kind IN ('accepted', 'declined', 'free')),
    contact_id       text COLLATE "C" NOT NULL,
    state            text COLLATE "C" NOT NULL CHECK (state IN
        ('draft', 'queued', 'sending', 'sent', 'failed', 'unknown', 'told', 'superseded')),
    is_current       boolean NOT NULL,
    subject          text NOT NULL,
    body             text NOT NULL,
    missing          text NOT NULL,
    is_edited        boolean NOT NULL,
    template_version integer NOT NULL,
    message_id       text COLLATE "C" NOT NULL,
    sent_to          text NOT NULL,
    attempts         integer NOT NULL CHECK (attempts >= 0),
    due_at           timestamptz(3),
    claimed_until    timestamptz(3),
    answer           text NOT NULL,
    reason           text NOT NULL,
    sent_at          timestamptz(3),
    created_at       timestamptz(3) NOT NULL,
    updated_at       timestamptz(3) NOT NULL,
    UNIQUE (session_id, number, contact_id),
    FOREIGN KEY (session_id, number) REFERENCES decisions ON DELETE CASCADE,
    CHECK ((kind = 'free') = (session_id IS NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);

INSERT INTO decisions
SELECT s.event_id, s.id, 1, s.status, '', '', l.created_at
FROM letters l JOIN sessions s ON s.event_id = l.event_id AND s.id = l.session_id AND s.status = l.decision
WHERE s.is_abstract;
-- What was called sent before was never sent from here.
INSERT INTO letters_new
SELECT md5(p.session_id || p.contact_id)::uuid::text, p.event_id, p.session_id, 1, l.decision, p.contact_id,
    CASE WHEN l.state = 'sent' THEN 'told' ELSE 'draft' END, true, '', '', '', false, 0, '', '', 0, NULL, NULL, '',
    CASE WHEN l.state = 'sent' THEN 'Told before letters were sent from here' ELSE '' END,
    l.sent_at, l.created_at, l.updated_at
FROM letters l JOIN decisions d ON d.session_id = l.session_id AND d.decision = l.decision
    JOIN participants p ON p.event_id = l.event_id AND p.session_id = l.session_id;
DROP TABLE letters;
ALTER TABLE letters_new RENAME TO letters;
ALTER TABLE letters RENAME CONSTRAINT letters_new_pkey TO letters_pkey;
CREATE UNIQUE INDEX letters_message ON letters (message_id) WHERE message_id <> '';
CREATE INDEX letters_state ON letters (event_id, state, created_at);
CREATE INDEX letters_current ON letters (event_id, session_id, state) WHERE is_current;
CREATE INDEX letters_contact ON letters (contact_id);
CREATE INDEX letters_due ON letters (due_at) WHERE state = 'queued';
CREATE INDEX letters_claimed ON letters (claimed_until) WHERE state = 'sending';

-- +goose Down
CREATE TABLE letters_old (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    decision   text COLLATE "C" NOT NULL CHECK (decision IN ('accepted', 'declined')),
    state      text COLLATE "C" NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'failed')),
    sent_at    timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (session_id, decision),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    CHECK (state <> 'sent' OR sent_at IS NOT NULL)
);
INSERT INTO letters_old
SELECT event_id, session_id, kind,
    CASE WHEN min(CASE WHEN state IN ('sent', 'told') THEN 1 ELSE 0 END) = 1 THEN 'sent' ELSE 'draft' END,
    max(sent_at), min(created_at), max(updated_at)
FROM letters WHERE is_current GROUP BY event_id, session_id, kind;
DROP TABLE letters;
ALTER TABLE letters_old RENAME TO letters;
ALTER TABLE letters RENAME CONSTRAINT letters_old_pkey TO letters_pkey;
CREATE INDEX letters_sent ON letters (event_id, decision, session_id) WHERE state = 'sent';
DROP TABLE letter_templates;
DROP TABLE decisions;
