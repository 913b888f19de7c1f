-- +goose Up
-- Lists by title, and the next and previous record of one.
CREATE INDEX sessions_title ON sessions (event_id, is_abstract, title_key, id) WHERE deleted_at IS NULL;

-- +goose Down
DROP INDEX sessions_title;
