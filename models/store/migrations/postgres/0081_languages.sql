-- +goose Up
-- The languages that an event's public pages are offered in: tags with spaces between them, '' for all that there are.
ALTER TABLE event_looks ADD COLUMN languages text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE event_looks DROP COLUMN languages;
