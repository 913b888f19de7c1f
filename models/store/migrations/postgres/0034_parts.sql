-- +goose Up
-- Where an abstract stands among the parts of the session it is composed into, and how many minutes it has there.
ALTER TABLE sessions
    ADD COLUMN part_order integer NOT NULL DEFAULT 0,
    ADD COLUMN part_minutes integer CHECK (part_minutes BETWEEN 1 AND 1440),
    ADD CHECK (composed_into IS NOT NULL OR (part_order = 0 AND part_minutes IS NULL));

-- +goose Down
ALTER TABLE sessions DROP COLUMN part_minutes, DROP COLUMN part_order;
