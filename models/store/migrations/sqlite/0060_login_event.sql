-- +goose Up
-- The one event that a login opens the place at: that of a link which staff copied. NULL is all of the organization.
ALTER TABLE speaker_logins ADD COLUMN event_id text REFERENCES events (id) ON DELETE CASCADE;

-- +goose Down
ALTER TABLE speaker_logins DROP COLUMN event_id;
