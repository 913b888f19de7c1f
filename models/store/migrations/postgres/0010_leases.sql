-- +goose Up
-- Who does what only one process may, and until when unless it says so again.
CREATE TABLE leases (
    name   text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    until  timestamptz(3) NOT NULL
);
-- Whose a round is stands in its row, so that what waits is counted in an index.
ALTER TABLE deliveries_due ADD COLUMN organization_id text COLLATE "C";
UPDATE deliveries_due d SET organization_id = e.organization_id FROM emissions e WHERE e.seq = d.emission_seq;
ALTER TABLE deliveries_due ALTER COLUMN organization_id SET NOT NULL;
CREATE INDEX deliveries_due_organization ON deliveries_due (organization_id, emission_seq);

-- +goose Down
ALTER TABLE deliveries_due DROP COLUMN organization_id;
DROP TABLE leases;
