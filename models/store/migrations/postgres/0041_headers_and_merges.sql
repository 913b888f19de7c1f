-- +goose Up
-- The names of the columns of a file of people, as JSON: the next file with the same ones is read as this one was.
ALTER TABLE contact_imports ADD COLUMN headers text NOT NULL DEFAULT '[]';
-- Merges are looked through for whom somebody was merged into.
CREATE INDEX activity_merged ON activity (organization_id) WHERE subject = 'contact' AND action = 'merged';

-- +goose Down
DROP INDEX activity_merged;
ALTER TABLE contact_imports DROP COLUMN headers;
