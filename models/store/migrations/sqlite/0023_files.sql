-- +goose Up
-- Files that are kept: what they are called and who brought them. Their bytes are in the file store, under key.
CREATE TABLE files (
    id               text PRIMARY KEY,
    organization_id  text NOT NULL REFERENCES organizations,
    purpose          text NOT NULL CHECK (purpose IN ('photo', 'logo', 'answer', 'deliverable')),
    key              text NOT NULL UNIQUE CHECK (length(key) = 26),
    name             text NOT NULL,
    media_type       text NOT NULL,
    size             integer NOT NULL CHECK (size >= 0),
    sha256           text NOT NULL CHECK (length(sha256) = 64),
    width            integer CHECK (width > 0),
    height           integer CHECK (height > 0),
    uploaded_by      text NOT NULL,
    uploaded_by_name text NOT NULL,
    unused_since     text,
    created_at       text NOT NULL,
    UNIQUE (organization_id, id)
);
CREATE INDEX files_unused ON files (unused_since) WHERE unused_since IS NOT NULL;

-- Keys under which there may be bytes that no file has, to be deleted a day later.
CREATE TABLE file_leftovers (
    key   text PRIMARY KEY,
    since text NOT NULL
);
CREATE INDEX file_leftovers_age ON file_leftovers (since);

-- The key in a photo's address when it is one of ours.
ALTER TABLE contacts ADD COLUMN photo_key text NOT NULL DEFAULT '';
CREATE INDEX contacts_photo ON contacts (photo_key) WHERE photo_key <> '';

-- +goose Down
DROP INDEX contacts_photo;
ALTER TABLE contacts DROP COLUMN photo_key;
DROP TABLE file_leftovers;
DROP TABLE files;
