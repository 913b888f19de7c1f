-- +goose Up
-- A conference that is moved to an event from elsewhere: asked for on a page, done in the background, told for good.
CREATE TABLE moves (
    id              text PRIMARY KEY,
    organization_id text NOT NULL,
    event_id        text NOT NULL,
    kind            text NOT NULL,
    address         text NOT NULL,
    event_there     text NOT NULL,
    sealed_token    text NOT NULL,
    file_name       text NOT NULL,
    file_key        text NOT NULL,
    choices         text NOT NULL,
    state           text NOT NULL CHECK (state IN
        ('choosing', 'looking', 'looked', 'bringing', 'brought', 'undoing', 'undone', 'stopped')),
    stopped_in      text NOT NULL CHECK (stopped_in IN ('', 'looking', 'bringing', 'undoing')),
    reason          text NOT NULL,
    preview         text,
    report          text,
    claims          integer NOT NULL,
    deaths          integer NOT NULL,
    user_id         text NOT NULL,
    user_name       text NOT NULL,
    -- Who did the last deed at it, in whose right it is worked at.
    actor_id        text NOT NULL,
    actor_name      text NOT NULL,
    claimed_until   text,
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    ended_at        text,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
CREATE INDEX moves_event ON moves (event_id, created_at);
CREATE INDEX moves_work ON moves (created_at) WHERE state IN ('looking', 'bringing', 'undoing');
-- Which move made a row; '' for one that was met, and of moves by a command.
ALTER TABLE imported ADD COLUMN made_by text NOT NULL DEFAULT '';
-- The updated_at of a question or review as it was brought: any other is of somebody who changed it since.
ALTER TABLE imported ADD COLUMN brought_at text;
CREATE INDEX imported_made ON imported (made_by, kind, record_id) WHERE made_by <> '';

-- +goose Down
DROP INDEX imported_made;
ALTER TABLE imported DROP COLUMN brought_at;
ALTER TABLE imported DROP COLUMN made_by;
DROP TABLE moves;
