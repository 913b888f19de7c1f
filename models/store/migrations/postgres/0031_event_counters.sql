-- +goose Up
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

-- +goose Down
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
