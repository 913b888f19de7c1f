-- +goose Up
-- A column of a plain unique index is a key to PostgreSQL: a change of it waits for
-- all rows that refer to the event, and they for it. A condition makes it none.
ALTER TABLE events DROP CONSTRAINT events_slug_key;
CREATE UNIQUE INDEX events_slug ON events (slug) WHERE slug IS NOT NULL;

-- +goose Down
DROP INDEX events_slug;
ALTER TABLE events ADD UNIQUE (slug);
