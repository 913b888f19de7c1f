-- +goose Up
-- Every list of people leaves out whose account nobody has proven, of which there are few among all.
CREATE INDEX speaker_accounts_unproven ON speaker_accounts (organization_id, created_at) WHERE confirmed_at IS NULL;

-- +goose Down
DROP INDEX speaker_accounts_unproven;
