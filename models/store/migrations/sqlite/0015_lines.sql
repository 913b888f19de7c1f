-- +goose Up
-- What a round tells of stands in its row, so that the next of a line are found
-- without their emissions.
ALTER TABLE deliveries_due ADD COLUMN resource_id text NOT NULL DEFAULT '';
UPDATE deliveries_due SET resource_id = (SELECT e.resource_id FROM emissions e WHERE e.seq = emission_seq);

-- +goose Down
ALTER TABLE deliveries_due DROP COLUMN resource_id;
