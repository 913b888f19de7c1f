-- +goose Up
-- An archive of an event, or of all events where event_id is null, that somebody asked for on a page: made in the
-- background, kept for a day.
CREATE TABLE archives (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    event_id        text COLLATE "C",
    state           text COLLATE "C" NOT NULL CHECK (state IN ('making', 'made', 'stopped')),
    reason          text NOT NULL,
    written         bigint NOT NULL,
    of_bytes        bigint NOT NULL,
    file_name       text NOT NULL,
    file_key        text COLLATE "C" NOT NULL,
    sha256          text NOT NULL,
    claims          integer NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    user_name       text NOT NULL,
    claimed_until   timestamptz(3),
    created_at      timestamptz(3) NOT NULL,
    ended_at        timestamptz(3),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
-- One of each is kept.
CREATE UNIQUE INDEX archives_of ON archives (organization_id, coalesce(event_id, ''));
CREATE INDEX archives_work ON archives (created_at) WHERE state = 'making';

-- +goose Down
DROP TABLE archives;
