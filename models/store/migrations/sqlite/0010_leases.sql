-- +goose Up
-- Who does what only one process may, and until when unless it says so again.
CREATE TABLE leases (
    name   text PRIMARY KEY,
    holder text NOT NULL,
    until  text NOT NULL
);
-- Whose a round is stands in its row, so that what waits is counted in an index.
CREATE TABLE deliveries_due_new (
    seq             integer PRIMARY KEY AUTOINCREMENT,
    emission_seq    integer NOT NULL REFERENCES emissions,
    webhook_id      text REFERENCES webhook_endpoints ON DELETE CASCADE,
    organization_id text NOT NULL
);
INSERT INTO deliveries_due_new SELECT d.seq, d.emission_seq, d.webhook_id, e.organization_id
    FROM deliveries_due d JOIN emissions e ON e.seq = d.emission_seq;
DROP TABLE deliveries_due;
ALTER TABLE deliveries_due_new RENAME TO deliveries_due;
CREATE INDEX deliveries_due_webhook ON deliveries_due (webhook_id, emission_seq);
CREATE INDEX deliveries_due_emission ON deliveries_due (emission_seq);
CREATE INDEX deliveries_due_organization ON deliveries_due (organization_id, emission_seq);

-- +goose Down
DROP INDEX deliveries_due_organization;
ALTER TABLE deliveries_due DROP COLUMN organization_id;
DROP TABLE leases;
