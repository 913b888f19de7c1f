-- +goose Up
-- Who is declined or withdrawn takes no room, so the pass over the programme asks for the status too; and what a
-- room has at one time is found by its times.
DROP INDEX sessions_start;
CREATE INDEX sessions_start ON sessions (event_id, is_abstract, starts_at, id, room_id, ends_at, is_public, status, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX sessions_room;
CREATE INDEX sessions_room ON sessions (event_id, room_id, starts_at) WHERE room_id IS NOT NULL;

-- +goose Down
DROP INDEX sessions_room;
CREATE INDEX sessions_room ON sessions (event_id, room_id) WHERE room_id IS NOT NULL;
DROP INDEX sessions_start;
CREATE INDEX sessions_start ON sessions (event_id, is_abstract, starts_at, id, room_id, ends_at, is_public, deleted_at) WHERE deleted_at IS NULL;
