-- +goose Up
-- How many sessions of a track or a format the programme has room for; null where nobody said.
ALTER TABLE metadata
    ADD COLUMN wanted integer CHECK (wanted IS NULL OR (wanted BETWEEN 0 AND 10000 AND family IN ('tracks', 'formats')));
-- The latest steps of somebody, to be taken back one after the other.
CREATE INDEX batches_latest ON batches (event_id, user_id, created_at DESC, id DESC);

-- +goose Down
DROP INDEX batches_latest;
ALTER TABLE metadata DROP COLUMN wanted;
