-- +goose Up
-- When the last letter left, and which did not of late, are told without a look at the others.
CREATE INDEX letters_left ON letters (sent_at) WHERE state = 'sent';
CREATE INDEX letters_lost ON letters (updated_at) WHERE state IN ('failed', 'unknown');
-- Whether anything waits for a managed service is told without a look at what waits for endpoints.
CREATE INDEX deliveries_due_managed ON deliveries_due (organization_id, emission_seq) WHERE webhook_id IS NULL;

-- +goose Down
DROP INDEX deliveries_due_managed;
DROP INDEX letters_lost;
DROP INDEX letters_left;
