-- +goose Up
-- Drafts are no submissions yet, which counts by these indexes tell by their status.
DROP INDEX sessions_created;
CREATE INDEX sessions_created ON sessions (event_id, is_abstract, created_at, status, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX sessions_alone;
CREATE INDEX sessions_alone ON sessions (event_id, is_abstract, status) WHERE deleted_at IS NULL AND is_alone;

-- +goose Down
DROP INDEX sessions_alone;
CREATE INDEX sessions_alone ON sessions (event_id, is_abstract) WHERE deleted_at IS NULL AND is_alone;
DROP INDEX sessions_created;
CREATE INDEX sessions_created ON sessions (event_id, is_abstract, created_at, deleted_at) WHERE deleted_at IS NULL;
