-- +goose Up
-- When people are away from an event: days with times of its place, each on a line, such as 2027-05-20 12:00-15:00.
ALTER TABLE event_contacts ADD COLUMN away text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE event_contacts DROP COLUMN away;
