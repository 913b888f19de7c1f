-- +goose Up
-- The language in which somebody read their place last, a tag; '' of who was never there since it is kept.
ALTER TABLE speaker_accounts ADD COLUMN language text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE speaker_accounts DROP COLUMN language;
