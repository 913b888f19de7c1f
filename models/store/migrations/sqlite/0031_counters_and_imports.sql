-- +goose Up
-- What of an event moves with each change of its sessions and metadata has a row of its own, as on PostgreSQL, where
-- the check of each row that refers to an event would walk over what such changes leave of the event's row.
CREATE TABLE event_counters (
    event_id         text PRIMARY KEY REFERENCES events,
    last_abstract    integer NOT NULL,
    last_session     integer NOT NULL,
    metadata_version integer NOT NULL,
    sessions_version integer NOT NULL,
    speakers_version integer NOT NULL
);
INSERT INTO event_counters
    SELECT id, last_abstract, last_session, metadata_version, sessions_version, speakers_version FROM events;
ALTER TABLE events DROP COLUMN last_abstract;
ALTER TABLE events DROP COLUMN last_session;
ALTER TABLE events DROP COLUMN metadata_version;
ALTER TABLE events DROP COLUMN sessions_version;
ALTER TABLE events DROP COLUMN speakers_version;

-- What an import writes of each of its people is part of the one line that tells of the import, which stands for all of
-- them in the activity of the event.
ALTER TABLE activity ADD COLUMN part_of text NOT NULL DEFAULT '';
UPDATE activity SET part_of = request_id
    WHERE subject = 'contact' AND request_id IN (SELECT id FROM contact_imports);
DROP INDEX activity_event;
CREATE INDEX activity_event ON activity (event_id, created_at, id) WHERE part_of = '';

-- +goose Down
DROP INDEX activity_event;
ALTER TABLE activity DROP COLUMN part_of;
CREATE INDEX activity_event ON activity (event_id, created_at);
ALTER TABLE events ADD COLUMN last_abstract integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN last_session integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN metadata_version integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN sessions_version integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN speakers_version integer NOT NULL DEFAULT 0;
UPDATE events SET last_abstract = c.last_abstract, last_session = c.last_session, metadata_version = c.metadata_version,
    sessions_version = c.sessions_version, speakers_version = c.speakers_version
    FROM event_counters c WHERE c.event_id = events.id;
DROP TABLE event_counters;
