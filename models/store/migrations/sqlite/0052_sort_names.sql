-- +goose Up
-- What a person is sorted under in lists for everybody, where it is not the last name before the first.
ALTER TABLE contacts ADD COLUMN sort_name text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE contacts DROP COLUMN sort_name;
