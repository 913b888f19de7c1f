-- +goose Up
-- Since when somebody is at an event whose staff added them by their address, without knowing them.
ALTER TABLE event_contacts ADD COLUMN guest_since timestamptz(3);

-- +goose Down
ALTER TABLE event_contacts DROP COLUMN guest_since;
