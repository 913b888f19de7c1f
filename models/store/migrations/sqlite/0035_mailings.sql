-- +goose Up
-- A free letter to some people: one text, of which each has a letter of their own. version 0 has no text yet.
CREATE TABLE mailings (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    subject    text NOT NULL,
    body       text NOT NULL,
    version    integer NOT NULL CHECK (version >= 0),
    by_name    text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    CHECK (version = 0 OR subject <> '' AND body <> '')
);
CREATE INDEX mailings_event ON mailings (event_id, created_at);

-- What is written to staff stands in the same log: to_email instead of a contact. What belongs to no event, such as
-- an invitation to work for the organization, has the organization in its place.
CREATE TABLE letters_new (
    id               text PRIMARY KEY,
    event_id         text REFERENCES events,
    session_id       text,
    number           integer,
    kind             text NOT NULL CHECK (kind IN ('accepted', 'declined', 'undone', 'free', 'note', 'invitation')),
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
    organization_id  text REFERENCES organizations,
    mailing_id       text REFERENCES mailings,
    to_name          text NOT NULL DEFAULT '',
    to_email         text NOT NULL DEFAULT '',
    UNIQUE (session_id, number, contact_id),
    FOREIGN KEY (session_id, number) REFERENCES decisions ON DELETE CASCADE,
    CHECK ((kind IN ('accepted', 'declined', 'undone')) = (session_id IS NOT NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK ((event_id IS NULL) <> (organization_id IS NULL)),
    CHECK ((kind = 'free') = (mailing_id IS NOT NULL)),
    CHECK ((kind IN ('note', 'invitation')) = (contact_id = '' AND to_email <> '')),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);

INSERT INTO letters_new (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body,
    missing, is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at)
SELECT id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body,
    missing, is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at
FROM letters;
DROP TABLE letters;
ALTER TABLE letters_new RENAME TO letters;
CREATE UNIQUE INDEX letters_message ON letters (message_id) WHERE message_id <> '';
CREATE INDEX letters_state ON letters (event_id, state, created_at);
CREATE INDEX letters_current ON letters (event_id, session_id, state) WHERE is_current;
CREATE INDEX letters_contact ON letters (contact_id);
CREATE INDEX letters_due ON letters (due_at) WHERE state = 'queued';
CREATE INDEX letters_claimed ON letters (claimed_until) WHERE state = 'sending';
CREATE UNIQUE INDEX letters_once ON letters (mailing_id, contact_id) WHERE mailing_id IS NOT NULL;
CREATE INDEX letters_organization ON letters (organization_id, created_at) WHERE organization_id IS NOT NULL;

-- +goose Down
DELETE FROM letters WHERE kind IN ('free', 'note', 'invitation');
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
    FOREIGN KEY (session_id, number) REFERENCES decisions ON DELETE CASCADE,
    CHECK ((kind = 'free') = (session_id IS NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);

INSERT INTO letters_new (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body,
    missing, is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at)
SELECT id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body,
    missing, is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at
FROM letters;
DROP TABLE letters;
ALTER TABLE letters_new RENAME TO letters;
CREATE UNIQUE INDEX letters_message ON letters (message_id) WHERE message_id <> '';
CREATE INDEX letters_state ON letters (event_id, state, created_at);
CREATE INDEX letters_current ON letters (event_id, session_id, state) WHERE is_current;
CREATE INDEX letters_contact ON letters (contact_id);
CREATE INDEX letters_due ON letters (due_at) WHERE state = 'queued';
CREATE INDEX letters_claimed ON letters (claimed_until) WHERE state = 'sending';
DROP TABLE mailings;
