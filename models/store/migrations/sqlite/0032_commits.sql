-- +goose Up
-- A commit of decisions is opened before it is made: its batch is prepared, and its items keep what was seen.
ALTER TABLE batches ADD COLUMN prepared boolean NOT NULL DEFAULT false;
ALTER TABLE batch_items ADD COLUMN seen_at text;
ALTER TABLE batch_items ADD COLUMN seen_status text NOT NULL DEFAULT '';
ALTER TABLE batch_items ADD COLUMN outcome text NOT NULL DEFAULT '' CHECK (outcome IN
    ('', 'left_out', 'decided', 'withdrawn', 'changed', 'no_queue'));
ALTER TABLE batch_items ADD COLUMN letters integer NOT NULL DEFAULT 0;
CREATE INDEX batches_commits ON batches (event_id, created_at) WHERE change ->> 'operation' = 'commit';

-- A decision that was a mistake is undone by a number of its own, with letters of its own.
CREATE TABLE decisions_new (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    number     integer NOT NULL CHECK (number > 0),
    decision   text NOT NULL CHECK (decision IN ('accepted', 'declined', 'undone')),
    previous   text NOT NULL,
    by_name    text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (session_id, number),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
INSERT INTO decisions_new SELECT * FROM decisions;
CREATE TABLE letters_new (
    id               text PRIMARY KEY,
    event_id         text NOT NULL REFERENCES events,
    session_id       text,
    number           integer,
    kind             text NOT NULL CHECK (kind IN ('accepted', 'declined', 'undone', 'free')),
    contact_id       text NOT NULL,
    state            text NOT NULL CHECK (state IN
        ('draft', 'queued', 'sending', 'sent', 'failed', 'unknown', 'told', 'superseded')),
    is_current       integer NOT NULL,
    subject          text NOT NULL,
    body             text NOT NULL,
    missing          text NOT NULL,
    is_edited        integer NOT NULL,
    template_version integer NOT NULL,
    message_id       text NOT NULL,
    sent_to          text NOT NULL,
    attempts         integer NOT NULL CHECK (attempts >= 0),
    due_at           text,
    claimed_until    text,
    answer           text NOT NULL,
    reason           text NOT NULL,
    sent_at          text,
    created_at       text NOT NULL,
    updated_at       text NOT NULL,
    UNIQUE (session_id, number, contact_id),
    FOREIGN KEY (session_id, number) REFERENCES decisions_new ON DELETE CASCADE,
    CHECK ((kind = 'free') = (session_id IS NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);
INSERT INTO letters_new SELECT * FROM letters;
DROP TABLE letters;
DROP TABLE decisions;
ALTER TABLE decisions_new RENAME TO decisions;
ALTER TABLE letters_new RENAME TO letters;
CREATE UNIQUE INDEX letters_message ON letters (message_id) WHERE message_id <> '';
CREATE INDEX letters_state ON letters (event_id, state, created_at);
CREATE INDEX letters_current ON letters (event_id, session_id, state) WHERE is_current;
CREATE INDEX letters_contact ON letters (contact_id);
CREATE INDEX letters_due ON letters (due_at) WHERE state = 'queued';
CREATE INDEX letters_claimed ON letters (claimed_until) WHERE state = 'sending';
CREATE TABLE letter_templates_new (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    kind       text NOT NULL CHECK (kind IN ('accepted', 'declined', 'undone', 'free')),
    name       text NOT NULL,
    subject    text NOT NULL CHECK (subject <> ''),
    body       text NOT NULL CHECK (body <> ''),
    version    integer NOT NULL CHECK (version > 0),
    by_name    text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL
);
INSERT INTO letter_templates_new SELECT * FROM letter_templates;
DROP TABLE letter_templates;
ALTER TABLE letter_templates_new RENAME TO letter_templates;
CREATE UNIQUE INDEX letter_templates_decision ON letter_templates (event_id, kind) WHERE kind <> 'free';
CREATE INDEX letter_templates_event ON letter_templates (event_id);

-- +goose Down
DELETE FROM letters WHERE kind = 'undone';
DELETE FROM decisions WHERE decision = 'undone';
DELETE FROM letter_templates WHERE kind = 'undone';
CREATE TABLE decisions_new (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    number     integer NOT NULL CHECK (number > 0),
    decision   text NOT NULL CHECK (decision IN ('accepted', 'declined')),
    previous   text NOT NULL,
    by_name    text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (session_id, number),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
INSERT INTO decisions_new SELECT * FROM decisions;
CREATE TABLE letters_new (
    id               text PRIMARY KEY,
    event_id         text NOT NULL REFERENCES events,
    session_id       text,
    number           integer,
    kind             text NOT NULL CHECK (kind IN ('accepted', 'declined', 'free')),
    contact_id       text NOT NULL,
    state            text NOT NULL CHECK (state IN
        ('draft', 'queued', 'sending', 'sent', 'failed', 'unknown', 'told', 'superseded')),
    is_current       integer NOT NULL,
    subject          text NOT NULL,
    body             text NOT NULL,
    missing          text NOT NULL,
    is_edited        integer NOT NULL,
    template_version integer NOT NULL,
    message_id       text NOT NULL,
    sent_to          text NOT NULL,
    attempts         integer NOT NULL CHECK (attempts >= 0),
    due_at           text,
    claimed_until    text,
    answer           text NOT NULL,
    reason           text NOT NULL,
    sent_at          text,
    created_at       text NOT NULL,
    updated_at       text NOT NULL,
    UNIQUE (session_id, number, contact_id),
    FOREIGN KEY (session_id, number) REFERENCES decisions_new ON DELETE CASCADE,
    CHECK ((kind = 'free') = (session_id IS NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);
INSERT INTO letters_new SELECT * FROM letters;
DROP TABLE letters;
DROP TABLE decisions;
ALTER TABLE decisions_new RENAME TO decisions;
ALTER TABLE letters_new RENAME TO letters;
CREATE UNIQUE INDEX letters_message ON letters (message_id) WHERE message_id <> '';
CREATE INDEX letters_state ON letters (event_id, state, created_at);
CREATE INDEX letters_current ON letters (event_id, session_id, state) WHERE is_current;
CREATE INDEX letters_contact ON letters (contact_id);
CREATE INDEX letters_due ON letters (due_at) WHERE state = 'queued';
CREATE INDEX letters_claimed ON letters (claimed_until) WHERE state = 'sending';
CREATE TABLE letter_templates_new (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    kind       text NOT NULL CHECK (kind IN ('accepted', 'declined', 'free')),
    name       text NOT NULL,
    subject    text NOT NULL CHECK (subject <> ''),
    body       text NOT NULL CHECK (body <> ''),
    version    integer NOT NULL CHECK (version > 0),
    by_name    text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL
);
INSERT INTO letter_templates_new SELECT * FROM letter_templates;
DROP TABLE letter_templates;
ALTER TABLE letter_templates_new RENAME TO letter_templates;
CREATE UNIQUE INDEX letter_templates_decision ON letter_templates (event_id, kind) WHERE kind <> 'free';
CREATE INDEX letter_templates_event ON letter_templates (event_id);
DELETE FROM batches WHERE prepared;
DROP INDEX batches_commits;
ALTER TABLE batch_items DROP COLUMN letters;
ALTER TABLE batch_items DROP COLUMN outcome;
ALTER TABLE batch_items DROP COLUMN seen_status;
ALTER TABLE batch_items DROP COLUMN seen_at;
ALTER TABLE batches DROP COLUMN prepared;
