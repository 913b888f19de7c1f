-- +goose Up
-- A free letter to some people: one text, of which each has a letter of their own. version 0 has no text yet.
CREATE TABLE mailings (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL REFERENCES events,
    subject    text NOT NULL,
    body       text NOT NULL,
    version    integer NOT NULL CHECK (version >= 0),
    by_name    text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CHECK (version = 0 OR subject <> '' AND body <> '')
);
CREATE INDEX mailings_event ON mailings (event_id, created_at);

-- What is written to staff stands in the same log: to_email instead of a contact. What belongs to no event, such as
-- an invitation to work for the organization, has the organization in its place.
ALTER TABLE letters
    ALTER COLUMN event_id DROP NOT NULL,
    ADD COLUMN organization_id text COLLATE "C" REFERENCES organizations,
    ADD COLUMN mailing_id text COLLATE "C" REFERENCES mailings,
    ADD COLUMN to_name text NOT NULL DEFAULT '',
    ADD COLUMN to_email text NOT NULL DEFAULT '',
    DROP CONSTRAINT letters_new_kind_check,
    DROP CONSTRAINT letters_new_check,
    ADD CONSTRAINT letters_kind CHECK (kind IN ('accepted', 'declined', 'undone', 'free', 'note', 'invitation')),
    ADD CONSTRAINT letters_session CHECK ((kind IN ('accepted', 'declined', 'undone')) = (session_id IS NOT NULL)
        AND (session_id IS NULL) = (number IS NULL)),
    ADD CONSTRAINT letters_whose CHECK ((event_id IS NULL) <> (organization_id IS NULL)),
    ADD CONSTRAINT letters_mailing CHECK ((kind = 'free') = (mailing_id IS NOT NULL)),
    ADD CONSTRAINT letters_to CHECK ((kind IN ('note', 'invitation')) = (contact_id = '' AND to_email <> ''));
CREATE UNIQUE INDEX letters_once ON letters (mailing_id, contact_id) WHERE mailing_id IS NOT NULL;
CREATE INDEX letters_organization ON letters (organization_id, created_at) WHERE organization_id IS NOT NULL;

-- +goose Down
DELETE FROM letters WHERE kind IN ('free', 'note', 'invitation');
DROP INDEX letters_organization;
DROP INDEX letters_once;
ALTER TABLE letters
    DROP CONSTRAINT letters_to,
    DROP CONSTRAINT letters_mailing,
    DROP CONSTRAINT letters_whose,
    DROP CONSTRAINT letters_session,
    DROP CONSTRAINT letters_kind,
    DROP COLUMN to_email,
    DROP COLUMN to_name,
    DROP COLUMN mailing_id,
    DROP COLUMN organization_id,
    ALTER COLUMN event_id SET NOT NULL,
    ADD CONSTRAINT letters_new_kind_check CHECK (kind IN ('accepted', 'declined', 'undone', 'free')),
    ADD CONSTRAINT letters_new_check CHECK ((kind = 'free') = (session_id IS NULL) AND (session_id IS NULL) = (number IS NULL));
DROP TABLE mailings;
