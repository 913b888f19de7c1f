-- +goose Up
-- How many sessions of a track or a format the programme has room for; null where nobody said.
ALTER TABLE metadata
    ADD COLUMN wanted integer CHECK (wanted IS NULL OR (wanted BETWEEN 0 AND 10000 AND family IN ('tracks', 'formats')));
-- The latest steps of somebody, to be taken back one after the other.
CREATE INDEX batches_latest ON batches (event_id, user_id, created_at DESC, id DESC);
-- What of tracks and formats is taken is counted by the index alone.
DROP INDEX sessions_count;
CREATE INDEX sessions_count ON sessions (event_id, is_abstract, status, track_id, composed_into, format_id, deleted_at) WHERE deleted_at IS NULL;
-- The order of triage by a round.
DROP INDEX review_results_mean;
CREATE INDEX review_results_mean ON review_results (round_id, mean DESC, session_id DESC);

-- +goose Down
DROP INDEX review_results_mean;
CREATE INDEX review_results_mean ON review_results (round_id, mean DESC, session_id);
DROP INDEX sessions_count;
CREATE INDEX sessions_count ON sessions (event_id, is_abstract, status, track_id, composed_into, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX batches_latest;
ALTER TABLE metadata DROP COLUMN wanted;
