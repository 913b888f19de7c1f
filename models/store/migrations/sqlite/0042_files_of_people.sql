-- +goose Up
-- Fields of people may be files. SQLite changes a check with a column alone.
ALTER TABLE files ADD COLUMN used_for text NOT NULL DEFAULT 'photo'
    CHECK (used_for IN ('photo', 'logo', 'answer', 'deliverable', 'own_field'));
UPDATE files SET used_for = purpose;
ALTER TABLE files DROP COLUMN purpose;
ALTER TABLE files RENAME COLUMN used_for TO purpose;

ALTER TABLE contact_fields ADD COLUMN kind text NOT NULL DEFAULT 'text' CHECK (kind IN ('text', 'long_text', 'choice',
    'choices', 'number', 'date', 'url', 'email', 'yes_no', 'file'));
UPDATE contact_fields SET kind = type;
ALTER TABLE contact_fields DROP COLUMN type;
ALTER TABLE contact_fields RENAME COLUMN kind TO type;

-- The value of a field of files again, so that a file in use is not dropped.
ALTER TABLE contact_values ADD COLUMN file_id text REFERENCES files (id) CHECK (file_id = value);
CREATE INDEX contact_values_file ON contact_values (file_id) WHERE file_id IS NOT NULL;

-- +goose Down
DROP INDEX contact_values_file;
DELETE FROM contact_values WHERE file_id IS NOT NULL;
ALTER TABLE contact_values DROP COLUMN file_id;
DELETE FROM contact_fields WHERE type = 'file';
ALTER TABLE contact_fields ADD COLUMN kind text NOT NULL DEFAULT 'text' CHECK (kind IN ('text', 'long_text', 'choice',
    'choices', 'number', 'date', 'url', 'email', 'yes_no'));
UPDATE contact_fields SET kind = type;
ALTER TABLE contact_fields DROP COLUMN type;
ALTER TABLE contact_fields RENAME COLUMN kind TO type;
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE purpose = 'own_field';
DELETE FROM files WHERE purpose = 'own_field';
ALTER TABLE files ADD COLUMN used_for text NOT NULL DEFAULT 'photo'
    CHECK (used_for IN ('photo', 'logo', 'answer', 'deliverable'));
UPDATE files SET used_for = purpose;
ALTER TABLE files DROP COLUMN purpose;
ALTER TABLE files RENAME COLUMN used_for TO purpose;
