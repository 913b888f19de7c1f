-- +goose Up
-- An earlier version that was made the one that counts; the next version that comes takes its place.
ALTER TABLE deliverable_versions ADD COLUMN is_chosen boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE deliverable_versions DROP COLUMN is_chosen;
