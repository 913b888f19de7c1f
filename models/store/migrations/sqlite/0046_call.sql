-- +goose Up
-- The call for papers of an event: what it says and how much it takes. When it is open stands in the event.
CREATE TABLE calls (
    event_id      text PRIMARY KEY REFERENCES events,
    heading       text NOT NULL,
    welcome       text NOT NULL,
    success       text NOT NULL,
    agreement     text NOT NULL,
    questions_to  text NOT NULL,
    answers_on    text,
    max_proposals integer CHECK (max_proposals > 0),
    max_total     integer CHECK (max_total > 0),
    max_speakers  integer NOT NULL CHECK (max_speakers > 0),
    created_at    text NOT NULL,
    updated_at    text NOT NULL
);

CREATE TABLE call_parts (
    id       text PRIMARY KEY,
    event_id text NOT NULL REFERENCES calls,
    title    text NOT NULL CHECK (title <> ''),
    help     text NOT NULL,
    position integer NOT NULL,
    UNIQUE (event_id, id)
);

-- A question, or a field of the proposal itself (standard). key is that of its answers and never changes. One that was
-- removed stays for the answers that there are.
CREATE TABLE call_questions (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES calls,
    part_id    text,
    position   integer NOT NULL,
    key        text NOT NULL CHECK (key <> ''),
    standard   text NOT NULL CHECK (standard IN ('', 'title', 'description', 'track', 'format', 'level', 'biography')),
    type       text NOT NULL CHECK (type IN ('text', 'long_text', 'choice', 'choices', 'number', 'date', 'url', 'email', 'yes_no', 'file')),
    label      text NOT NULL CHECK (label <> ''),
    help       text NOT NULL,
    options    text NOT NULL,
    required   text NOT NULL CHECK (required IN ('no', 'yes', 'later')),
    max_length integer CHECK (max_length > 0),
    max_words  integer CHECK (max_words > 0),
    seen_by    text NOT NULL CHECK (seen_by IN ('reviewers', 'open_rounds', 'staff')),
    asked_if   text NOT NULL,
    removed_at text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    UNIQUE (event_id, key),
    FOREIGN KEY (event_id, part_id) REFERENCES call_parts (event_id, id),
    CHECK ((removed_at IS NULL) = (part_id IS NOT NULL)),
    CHECK (standard <> 'title' OR removed_at IS NULL AND required = 'yes')
);
CREATE UNIQUE INDEX call_questions_standard ON call_questions (event_id, standard) WHERE standard <> '';

-- Codes that let somebody in whom the window or the limits keep out.
CREATE TABLE call_codes (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    code       text NOT NULL CHECK (code <> ''),
    note       text NOT NULL,
    max_uses   integer CHECK (max_uses > 0),
    expires_at text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    UNIQUE (event_id, id)
);
CREATE UNIQUE INDEX call_codes_code ON call_codes (event_id, upper(code));

-- What the call knows of a submission beside the submission itself. contact_id is who began it.
CREATE TABLE proposals (
    session_id       text PRIMARY KEY,
    event_id         text NOT NULL,
    contact_id       text NOT NULL,
    code_id          text,
    submitted_at     text,
    locked_at        text,
    open_until       text,
    withdrawn_from   text NOT NULL DEFAULT '',
    withdrawn_reason text NOT NULL DEFAULT '',
    withdrawn_at     text,
    noticed_days     integer,
    created_at       text NOT NULL,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, code_id) REFERENCES call_codes (event_id, id)
);
CREATE INDEX proposals_contact ON proposals (contact_id);
CREATE INDEX proposals_code ON proposals (code_id) WHERE code_id IS NOT NULL;
CREATE INDEX proposals_event ON proposals (event_id);

-- The files that answer questions; the answer itself is the file's name.
CREATE TABLE proposal_files (
    session_id text NOT NULL,
    event_id   text NOT NULL,
    key        text NOT NULL,
    file_id    text NOT NULL REFERENCES files ON DELETE CASCADE,
    PRIMARY KEY (session_id, key),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX proposal_files_file ON proposal_files (file_id);

-- Until when somebody may still write, whatever the window says.
CREATE TABLE call_extensions (
    event_id   text NOT NULL REFERENCES events,
    contact_id text NOT NULL,
    until      text NOT NULL,
    by_name    text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (event_id, contact_id)
);
CREATE INDEX call_extensions_contact ON call_extensions (contact_id);

-- Who was asked to speak along. They are on the submission once they have said yes.
CREATE TABLE co_speakers (
    id          text PRIMARY KEY,
    event_id    text NOT NULL,
    session_id  text NOT NULL,
    invited_by  text NOT NULL,
    email       text NOT NULL CHECK (email <> ''),
    email_key   text NOT NULL,
    name        text NOT NULL,
    role        text NOT NULL CHECK (role IN ('speaker', 'moderator', 'chairperson')),
    state       text NOT NULL CHECK (state IN ('invited', 'joined', 'declined')),
    contact_id  text NOT NULL DEFAULT '',
    created_at  text NOT NULL,
    answered_at text,
    UNIQUE (session_id, email_key),
    CHECK ((state = 'joined') = (contact_id <> '')),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX co_speakers_contact ON co_speakers (contact_id) WHERE contact_id <> '';
CREATE INDEX co_speakers_invited_by ON co_speakers (invited_by);

-- Whether somebody comes and speaks, as they say.
CREATE TABLE participations (
    session_id  text NOT NULL,
    event_id    text NOT NULL,
    contact_id  text NOT NULL,
    answer      text NOT NULL CHECK (answer IN ('yes', 'no')),
    reason      text NOT NULL,
    answered_at text NOT NULL,
    PRIMARY KEY (session_id, contact_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX participations_contact ON participations (contact_id);
CREATE INDEX participations_event ON participations (event_id, answer);

-- How speakers come to their place: an address and what opens it. Until a link that was mailed to it was opened, the
-- address is what somebody typed, and the contact has none.
CREATE TABLE speaker_accounts (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    contact_id      text NOT NULL,
    email           text NOT NULL CHECK (email <> ''),
    email_key       text NOT NULL,
    password_hash   text NOT NULL,
    confirmed_at    text,
    created_at      text NOT NULL,
    updated_at      text NOT NULL
);
CREATE UNIQUE INDEX speaker_accounts_email ON speaker_accounts (organization_id, email_key) WHERE confirmed_at IS NOT NULL;
CREATE INDEX speaker_accounts_typed ON speaker_accounts (organization_id, email_key);
CREATE INDEX speaker_accounts_contact ON speaker_accounts (contact_id);

CREATE TABLE speaker_logins (
    id           text PRIMARY KEY,
    account_id   text NOT NULL REFERENCES speaker_accounts ON DELETE CASCADE,
    address      text NOT NULL,
    agent        text NOT NULL,
    created_at   text NOT NULL,
    last_seen_at text NOT NULL,
    expires_at   text NOT NULL
);
CREATE INDEX speaker_logins_account ON speaker_logins (account_id);
CREATE INDEX speaker_logins_expires ON speaker_logins (expires_at);

-- Links of mails, kept as the SHA-256 of their tokens: of an account, to a contact, or to somebody asked to speak along.
CREATE TABLE speaker_links (
    id              text PRIMARY KEY,
    hash            text NOT NULL UNIQUE,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    account_id      text REFERENCES speaker_accounts ON DELETE CASCADE,
    contact_id      text NOT NULL DEFAULT '',
    co_speaker_id   text REFERENCES co_speakers ON DELETE CASCADE,
    by_name         text NOT NULL,
    created_at      text NOT NULL,
    expires_at      text NOT NULL,
    CHECK ((account_id IS NOT NULL) + (contact_id <> '') + (co_speaker_id IS NOT NULL) = 1)
);
CREATE INDEX speaker_links_account ON speaker_links (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX speaker_links_contact ON speaker_links (contact_id) WHERE contact_id <> '';
CREATE INDEX speaker_links_co_speaker ON speaker_links (co_speaker_id) WHERE co_speaker_id IS NOT NULL;
CREATE INDEX speaker_links_expires ON speaker_links (expires_at);

-- +goose Down
DROP TABLE speaker_links;
DROP TABLE speaker_logins;
DROP TABLE speaker_accounts;
DROP TABLE participations;
DROP TABLE co_speakers;
DROP TABLE call_extensions;
DROP TABLE proposal_files;
DROP TABLE proposals;
DROP TABLE call_codes;
DROP TABLE call_questions;
DROP TABLE call_parts;
DROP TABLE calls;
