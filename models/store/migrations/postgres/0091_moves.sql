-- +goose Up
-- A conference that is moved to an event from elsewhere: asked for on a page, done in the background, told for good.
CREATE TABLE moves (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    event_id        text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    address         text NOT NULL,
    event_there     text NOT NULL,
    sealed_token    text NOT NULL,
    file_name       text NOT NULL,
    file_key        text COLLATE "C" NOT NULL,
    choices         text NOT NULL,
    state           text COLLATE "C" NOT NULL CHECK (state IN
        ('choosing', 'looking', 'looked', 'bringing', 'brought', 'undoing', 'undone', 'stopped')),
    stopped_in      text COLLATE "C" NOT NULL CHECK (stopped_in IN ('', 'looking', 'bringing', 'undoing')),
    reason          text NOT NULL,
    preview         text,
    report          text,
    claims          integer NOT NULL,
    deaths          integer NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    user_name       text NOT NULL,
    -- Who did the last deed at it, in whose right it is worked at.
    actor_id        text COLLATE "C" NOT NULL,
    actor_name      text NOT NULL,
    claimed_until   timestamptz(3),
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    ended_at        timestamptz(3),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
CREATE INDEX moves_event ON moves (event_id, created_at);
CREATE INDEX moves_work ON moves (created_at) WHERE state IN ('looking', 'bringing', 'undoing');
-- Which move made a row; '' for one that was met, and of moves by a command.
ALTER TABLE imported ADD COLUMN made_by text COLLATE "C" NOT NULL DEFAULT '';
-- The updated_at of a question or review as it was brought: any other is of somebody who changed it since.
ALTER TABLE imported ADD COLUMN brought_at timestamptz(3);
CREATE INDEX imported_made ON imported (made_by, kind, record_id) WHERE made_by <> '';

-- +goose Down
ALTER TABLE imported DROP COLUMN brought_at;
ALTER TABLE imported DROP COLUMN made_by;
DROP TABLE moves;
