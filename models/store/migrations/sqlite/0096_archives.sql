-- +goose Up
-- An archive of an event, or of all events where event_id is null, that somebody asked for on a page: made in the
-- background, kept for a day.
CREATE TABLE archives (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text,
    state           text NOT NULL CHECK (state IN ('making', 'made', 'stopped')),
    reason          text NOT NULL,
    written         integer NOT NULL,
    of_bytes        integer NOT NULL,
    file_name       text NOT NULL,
    file_key        text NOT NULL,
    sha256          text NOT NULL,
    claims          integer NOT NULL,
    user_id         text NOT NULL,
    user_name       text NOT NULL,
    claimed_until   text,
    created_at      text NOT NULL,
    ended_at        text,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
-- One of each is kept.
CREATE UNIQUE INDEX archives_of ON archives (organization_id, coalesce(event_id, ''));
CREATE INDEX archives_work ON archives (created_at) WHERE state = 'making';

-- +goose Down
DROP TABLE archives;
