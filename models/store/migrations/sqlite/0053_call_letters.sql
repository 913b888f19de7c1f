-- +goose Up
-- What the call for papers writes: to a contact, or to an address that is no contact's yet, which then stands in
-- to_email. about_id is the proposal; account_id and co_speaker_id name whose link it takes along. None of the three
-- refers: what a letter was about may be gone, and the log stays.
CREATE TABLE letters_new (
    id               text PRIMARY KEY,
    event_id         text REFERENCES events,
    session_id       text,
    number           integer,
    kind             text NOT NULL CHECK (kind IN ('accepted', 'declined', 'undone', 'free', 'note', 'invitation', 'call')),
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
    about_id         text NOT NULL DEFAULT '',
    account_id       text NOT NULL DEFAULT '',
    co_speaker_id    text NOT NULL DEFAULT '',
    UNIQUE (session_id, number, contact_id),
    FOREIGN KEY (session_id, number) REFERENCES decisions ON DELETE CASCADE,
    CHECK ((kind IN ('accepted', 'declined', 'undone')) = (session_id IS NOT NULL) AND (session_id IS NULL) = (number IS NULL)),
    CHECK ((event_id IS NULL) <> (organization_id IS NULL)),
    CHECK ((kind = 'free') = (mailing_id IS NOT NULL)),
    CHECK (kind = 'call' OR (kind IN ('note', 'invitation')) = (contact_id = '' AND to_email <> '')),
    CHECK (kind <> 'call' OR event_id IS NOT NULL AND (contact_id <> '' OR to_email <> '')),
    CHECK (kind = 'call' OR about_id = '' AND account_id = '' AND co_speaker_id = ''),
    CHECK (state NOT IN ('sent', 'told') OR sent_at IS NOT NULL),
    CHECK (state <> 'told' OR reason <> ''),
    CHECK ((state = 'sending') = (claimed_until IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'sent', 'unknown') OR message_id <> ''),
    CHECK (NOT is_current OR session_id IS NOT NULL)
);
INSERT INTO letters_new (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing, is_edited,
    template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at,
    organization_id, mailing_id, to_name, to_email)
SELECT id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing, is_edited,
    template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at,
    organization_id, mailing_id, to_name, to_email
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
CREATE INDEX letters_about ON letters (about_id) WHERE about_id <> '';

-- +goose Down
DELETE FROM letters WHERE kind = 'call';
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
INSERT INTO letters_new (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing, is_edited,
    template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at,
    organization_id, mailing_id, to_name, to_email)
SELECT id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing, is_edited,
    template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at, created_at, updated_at,
    organization_id, mailing_id, to_name, to_email
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
