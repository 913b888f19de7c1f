-- +goose Up
-- The acceptance in whose letter a refusal of the same person stands.
ALTER TABLE letters ADD COLUMN carried_by text COLLATE "C" REFERENCES letters ON DELETE SET NULL;
CREATE INDEX letters_carried ON letters (carried_by) WHERE carried_by IS NOT NULL;

-- +goose Down
DROP INDEX letters_carried;
ALTER TABLE letters DROP COLUMN carried_by;
