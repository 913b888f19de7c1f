-- +goose Up
-- Calendar dates are text, 2026-11-21: they belong to the event's place, not to an instant.
ALTER TABLE events ADD COLUMN starts_on text;
ALTER TABLE events ADD COLUMN ends_on text CHECK (ends_on >= starts_on);
ALTER TABLE events ADD COLUMN cfp_opens_at text;
ALTER TABLE events ADD COLUMN cfp_closes_at text CHECK (cfp_closes_at > cfp_opens_at);

CREATE INDEX sessions_deleted ON sessions (event_id, updated_at DESC, id DESC) WHERE deleted_at IS NOT NULL;

CREATE TABLE saved_views (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
    page       text NOT NULL,
    name       text NOT NULL,
    query      text NOT NULL,
    is_shared  integer NOT NULL,
    created_at text NOT NULL,
    UNIQUE (event_id, user_id, page, name)
);

-- One change of many sessions. Whoever started it may be gone, so the user is no reference.
CREATE TABLE batches (
    id          text PRIMARY KEY,
    event_id    text NOT NULL REFERENCES events,
    user_id     text NOT NULL,
    actor_name  text NOT NULL,
    change      text NOT NULL,
    undoes      text UNIQUE REFERENCES batches,
    state       text NOT NULL CHECK (state IN ('running', 'finished')),
    total       integer NOT NULL,
    succeeded   integer NOT NULL,
    failed      integer NOT NULL,
    created_at  text NOT NULL,
    finished_at text,
    UNIQUE (event_id, id),
    CHECK ((state = 'finished') = (finished_at IS NOT NULL))
);
CREATE INDEX batches_running ON batches (created_at, id) WHERE state = 'running';

-- What an item did stands in before and after, which is how it is undone.
CREATE TABLE batch_items (
    event_id   text NOT NULL,
    batch_id   text NOT NULL,
    session_id text NOT NULL,
    state      text NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
    message    text NOT NULL,
    before     text NOT NULL,
    after      text NOT NULL,
    PRIMARY KEY (batch_id, session_id),
    FOREIGN KEY (event_id, batch_id) REFERENCES batches (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX batch_items_state ON batch_items (batch_id, state, session_id);
CREATE INDEX batch_items_session ON batch_items (session_id);

-- +goose Down
DROP TABLE batch_items;
DROP TABLE batches;
DROP TABLE saved_views;
DROP INDEX sessions_deleted;
ALTER TABLE events DROP COLUMN cfp_closes_at;
ALTER TABLE events DROP COLUMN cfp_opens_at;
ALTER TABLE events DROP COLUMN ends_on;
ALTER TABLE events DROP COLUMN starts_on;
