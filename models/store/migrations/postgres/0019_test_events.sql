-- +goose Up
-- A test event tells of no change: it goes to one endpoint and is counted nowhere.
ALTER TABLE emissions ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE webhook_deliveries ADD COLUMN is_test boolean NOT NULL DEFAULT false;
CREATE INDEX emissions_tests ON emissions (resource_id, seq) WHERE is_test;

-- +goose Down
-- Without their mark they would be taken for changes.
DELETE FROM webhook_deliveries WHERE is_test;
DELETE FROM deliveries_due WHERE emission_seq IN (SELECT seq FROM emissions WHERE is_test);
DELETE FROM emissions WHERE is_test;
DROP INDEX emissions_tests;
ALTER TABLE webhook_deliveries DROP COLUMN is_test;
ALTER TABLE emissions DROP COLUMN is_test;
