-- +goose Up
-- Whom staff gave a task, whether its filters fit them or not; and tasks that nobody has but those.
ALTER TABLE deliverables ADD COLUMN is_given boolean NOT NULL DEFAULT false;
ALTER TABLE tasks ADD COLUMN only_given boolean NOT NULL DEFAULT false;
CREATE INDEX deliverables_given ON deliverables (event_id) WHERE is_given;

-- +goose Down
DROP INDEX deliverables_given;
ALTER TABLE tasks DROP COLUMN only_given;
ALTER TABLE deliverables DROP COLUMN is_given;
