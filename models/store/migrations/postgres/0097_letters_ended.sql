-- +goose Up
-- When the last letter left, and which did not of late, are told without a look at the others.
CREATE INDEX letters_left ON letters (sent_at) WHERE state = 'sent';
CREATE INDEX letters_lost ON letters (updated_at) WHERE state IN ('failed', 'unknown');

-- +goose Down
DROP INDEX letters_lost;
DROP INDEX letters_left;
