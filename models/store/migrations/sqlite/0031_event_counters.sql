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

-- +goose Down
ALTER TABLE events ADD COLUMN last_abstract integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN last_session integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN metadata_version integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN sessions_version integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN speakers_version integer NOT NULL DEFAULT 0;
UPDATE events SET last_abstract = c.last_abstract, last_session = c.last_session, metadata_version = c.metadata_version,
    sessions_version = c.sessions_version, speakers_version = c.speakers_version
    FROM event_counters c WHERE c.event_id = events.id;
DROP TABLE event_counters;
