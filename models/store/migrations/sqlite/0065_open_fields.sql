-- +goose Up
-- Whether everybody who sees the people of an event reads a field, or organizers alone.
ALTER TABLE contact_fields ADD COLUMN is_open boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE contact_fields DROP COLUMN is_open;
