-- +goose Up
-- Where an abstract stands among the parts of the session it is composed into, and how many minutes it has there.
ALTER TABLE sessions ADD COLUMN part_order integer NOT NULL DEFAULT 0 CHECK (part_order = 0 OR composed_into IS NOT NULL);
ALTER TABLE sessions ADD COLUMN part_minutes integer
    CHECK (part_minutes IS NULL OR (part_minutes BETWEEN 1 AND 1440 AND composed_into IS NOT NULL));

-- +goose Down
ALTER TABLE sessions DROP COLUMN part_minutes;
ALTER TABLE sessions DROP COLUMN part_order;
