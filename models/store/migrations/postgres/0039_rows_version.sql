-- +goose Up
-- Which sessions there are stays as it is while those that there are change, and so does how many they are.
ALTER TABLE event_counters ADD COLUMN rows_version bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE event_counters DROP COLUMN rows_version;
