-- +goose Up
-- When a session became public, which tells whether it was changed since.
ALTER TABLE sessions ADD COLUMN published_at text;

-- A released agenda: what was public and placed then, for differences and letters. What is shown is always live.
CREATE TABLE agenda_versions (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    number     integer NOT NULL CHECK (number > 0),
    name       text NOT NULL CHECK (name <> ''),
    note       text NOT NULL,
    by_name    text NOT NULL,
    created_at text NOT NULL,
    UNIQUE (event_id, number)
);
-- They keep the texts of that day, and refer to no session: one may be gone by now.
CREATE TABLE agenda_version_sessions (
    version_id  text NOT NULL REFERENCES agenda_versions ON DELETE CASCADE,
    session_id  text NOT NULL,
    friendly_id text NOT NULL,
    title       text NOT NULL,
    room_id     text NOT NULL,
    room        text NOT NULL,
    starts_at   text NOT NULL,
    ends_at     text NOT NULL,
    PRIMARY KEY (version_id, session_id)
);
-- Names are those that people have now.
CREATE TABLE agenda_version_people (
    version_id text NOT NULL,
    session_id text NOT NULL,
    position   integer NOT NULL,
    contact_id text NOT NULL,
    PRIMARY KEY (version_id, session_id, position),
    FOREIGN KEY (version_id, session_id) REFERENCES agenda_version_sessions ON DELETE CASCADE
);
CREATE INDEX agenda_version_people_contact ON agenda_version_people (contact_id);

-- The letters about a version: one mailing.
ALTER TABLE mailings ADD COLUMN version_id text REFERENCES agenda_versions;
CREATE UNIQUE INDEX mailings_version ON mailings (version_id) WHERE version_id IS NOT NULL;

-- +goose Down
DROP INDEX mailings_version;
ALTER TABLE mailings DROP COLUMN version_id;
DROP TABLE agenda_version_people;
DROP TABLE agenda_version_sessions;
DROP TABLE agenda_versions;
ALTER TABLE sessions DROP COLUMN published_at;
