-- +goose Up
-- The names of the columns of a file of people, as JSON: the next file with the same ones is read as this one was.
ALTER TABLE contact_imports ADD COLUMN headers text NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE contact_imports DROP COLUMN headers;
