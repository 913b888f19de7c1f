-- +goose Up
-- The next secret of an endpoint, between its making and its use.
ALTER TABLE webhook_endpoints ADD COLUMN sealed_pending text;

-- The log outlives the endpoints it tells of, so their ids are no references.
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_webhook_id_fkey;
-- One row a round: its first attempt.
CREATE INDEX webhook_deliveries_rounds ON webhook_deliveries (organization_id, event_id, created_at DESC, id DESC) WHERE attempt = 1;

-- +goose Down
DROP INDEX webhook_deliveries_rounds;
DELETE FROM webhook_deliveries WHERE webhook_id NOT IN (SELECT id FROM webhook_endpoints);
ALTER TABLE webhook_deliveries ADD FOREIGN KEY (webhook_id) REFERENCES webhook_endpoints ON DELETE CASCADE;
ALTER TABLE webhook_endpoints DROP COLUMN sealed_pending;
