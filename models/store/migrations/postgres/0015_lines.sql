-- +goose Up
-- What a round tells of stands in its row, so that the next of a line are found
-- without their emissions.
ALTER TABLE deliveries_due ADD COLUMN resource_id text COLLATE "C" NOT NULL DEFAULT '';
UPDATE deliveries_due d SET resource_id = e.resource_id FROM emissions e WHERE e.seq = d.emission_seq;
ALTER TABLE deliveries_due ALTER COLUMN resource_id DROP DEFAULT;
-- Only for looking up, so that no plan walks along it past the rounds of others.
DROP INDEX deliveries_due_emission;
CREATE INDEX deliveries_due_emission ON deliveries_due USING hash (emission_seq);

-- +goose Down
DROP INDEX deliveries_due_emission;
CREATE INDEX deliveries_due_emission ON deliveries_due (emission_seq);
ALTER TABLE deliveries_due DROP COLUMN resource_id;
