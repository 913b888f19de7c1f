-- +goose Up
-- A commit of decisions is opened before it is made: its batch is prepared, and its items keep what was seen.
ALTER TABLE batches ADD COLUMN prepared boolean NOT NULL DEFAULT false;
ALTER TABLE batch_items ADD COLUMN seen_at timestamptz(3);
ALTER TABLE batch_items ADD COLUMN seen_status text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE batch_items ADD COLUMN outcome text COLLATE "C" NOT NULL DEFAULT '' CHECK (outcome IN
    ('', 'left_out', 'decided', 'withdrawn', 'changed', 'no_queue'));
ALTER TABLE batch_items ADD COLUMN letters integer NOT NULL DEFAULT 0;
CREATE INDEX batches_commits ON batches (event_id, created_at) WHERE change ->> 'operation' = 'commit';

-- A decision that was a mistake is undone by a number of its own, with letters of its own.
ALTER TABLE decisions DROP CONSTRAINT decisions_decision_check,
    ADD CONSTRAINT decisions_decision_check CHECK (decision IN ('accepted', 'declined', 'undone'));
ALTER TABLE letter_templates DROP CONSTRAINT letter_templates_kind_check,
    ADD CONSTRAINT letter_templates_kind_check CHECK (kind IN ('accepted', 'declined', 'undone', 'free'));
ALTER TABLE letters DROP CONSTRAINT letters_new_kind_check,
    ADD CONSTRAINT letters_new_kind_check CHECK (kind IN ('accepted', 'declined', 'undone', 'free'));

-- +goose Down
DELETE FROM decisions WHERE decision = 'undone';
DELETE FROM letter_templates WHERE kind = 'undone';
ALTER TABLE letters DROP CONSTRAINT letters_new_kind_check,
    ADD CONSTRAINT letters_new_kind_check CHECK (kind IN ('accepted', 'declined', 'free'));
ALTER TABLE letter_templates DROP CONSTRAINT letter_templates_kind_check,
    ADD CONSTRAINT letter_templates_kind_check CHECK (kind IN ('accepted', 'declined', 'free'));
ALTER TABLE decisions DROP CONSTRAINT decisions_decision_check,
    ADD CONSTRAINT decisions_decision_check CHECK (decision IN ('accepted', 'declined'));
DELETE FROM batches WHERE prepared;
DROP INDEX batches_commits;
ALTER TABLE batch_items DROP COLUMN letters, DROP COLUMN outcome, DROP COLUMN seen_status, DROP COLUMN seen_at;
ALTER TABLE batches DROP COLUMN prepared;
