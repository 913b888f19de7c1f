-- +goose Up
SET LOCAL statement_timeout = 0;
-- What of an event moves with each change of its sessions and metadata has a row of its own. A great many rows refer to
-- an event, and the check of each would walk over what such changes leave of the event's row.
CREATE TABLE event_counters (
    event_id         text COLLATE "C" PRIMARY KEY REFERENCES events,
    last_abstract    integer NOT NULL,
    last_session     integer NOT NULL,
    metadata_version bigint NOT NULL,
    sessions_version bigint NOT NULL,
    speakers_version bigint NOT NULL
);
INSERT INTO event_counters
    SELECT id, last_abstract, last_session, metadata_version, sessions_version, speakers_version FROM events;
ALTER TABLE events
    DROP COLUMN last_abstract,
    DROP COLUMN last_session,
    DROP COLUMN metadata_version,
    DROP COLUMN sessions_version,
    DROP COLUMN speakers_version;

-- What an import writes of each of its people is part of the one line that tells of the import, which stands for all of
-- them in the activity of the event.
ALTER TABLE activity ADD COLUMN part_of text COLLATE "C" NOT NULL DEFAULT '';
UPDATE activity SET part_of = request_id
    WHERE subject = 'contact' AND request_id IN (SELECT id FROM contact_imports);
DROP INDEX activity_event;
CREATE INDEX activity_event ON activity (event_id, created_at, id) WHERE part_of = '';

-- +goose Down
DROP INDEX activity_event;
ALTER TABLE activity DROP COLUMN part_of;
CREATE INDEX activity_event ON activity (event_id, created_at);
ALTER TABLE events
    ADD COLUMN last_abstract    integer NOT NULL DEFAULT 0,
    ADD COLUMN last_session     integer NOT NULL DEFAULT 0,
    ADD COLUMN metadata_version bigint NOT NULL DEFAULT 0,
    ADD COLUMN sessions_version bigint NOT NULL DEFAULT 0,
    ADD COLUMN speakers_version bigint NOT NULL DEFAULT 0;
UPDATE events SET last_abstract = c.last_abstract, last_session = c.last_session, metadata_version = c.metadata_version,
    sessions_version = c.sessions_version, speakers_version = c.speakers_version
    FROM event_counters c WHERE c.event_id = id;
DROP TABLE event_counters;
