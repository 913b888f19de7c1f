-- +goose Up
-- What has nothing beside it while it lasts. There are few, so indexes of their own find them.
ALTER TABLE sessions ADD COLUMN is_plenary boolean NOT NULL DEFAULT false;
CREATE INDEX sessions_plenary ON sessions (event_id) WHERE is_plenary;
ALTER TABLE agenda_breaks ADD COLUMN is_plenary boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE agenda_breaks DROP COLUMN is_plenary;
DROP INDEX sessions_plenary;
ALTER TABLE sessions DROP COLUMN is_plenary;
