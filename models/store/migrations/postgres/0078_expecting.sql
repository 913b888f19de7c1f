-- +goose Up
-- Who expects more than a room holds is found among those of whom somebody said how many come.
CREATE INDEX sessions_expecting ON sessions (event_id, is_abstract, room_id, capacity, starts_at, status)
    WHERE deleted_at IS NULL AND capacity IS NOT NULL;

-- +goose Down
DROP INDEX sessions_expecting;
