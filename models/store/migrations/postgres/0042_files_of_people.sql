-- +goose Up
-- Fields of people may be files.
ALTER TABLE files DROP CONSTRAINT files_purpose_check;
ALTER TABLE files ADD CONSTRAINT files_purpose_check
    CHECK (purpose IN ('photo', 'logo', 'answer', 'deliverable', 'own_field'));

ALTER TABLE contact_fields DROP CONSTRAINT contact_fields_type_check;
ALTER TABLE contact_fields ADD CONSTRAINT contact_fields_type_check CHECK (type IN ('text', 'long_text', 'choice',
    'choices', 'number', 'date', 'url', 'email', 'yes_no', 'file'));

-- The value of a field of files again, so that a file in use is not dropped.
ALTER TABLE contact_values ADD COLUMN file_id text COLLATE "C" CHECK (file_id = value);
ALTER TABLE contact_values ADD CONSTRAINT contact_values_file_fkey
    FOREIGN KEY (organization_id, file_id) REFERENCES files (organization_id, id);
CREATE INDEX contact_values_file ON contact_values (file_id) WHERE file_id IS NOT NULL;

-- +goose Down
DROP INDEX contact_values_file;
DELETE FROM contact_values WHERE file_id IS NOT NULL;
ALTER TABLE contact_values DROP COLUMN file_id;
DELETE FROM contact_fields WHERE type = 'file';
ALTER TABLE contact_fields DROP CONSTRAINT contact_fields_type_check;
ALTER TABLE contact_fields ADD CONSTRAINT contact_fields_type_check CHECK (type IN ('text', 'long_text', 'choice',
    'choices', 'number', 'date', 'url', 'email', 'yes_no'));
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE purpose = 'own_field';
DELETE FROM files WHERE purpose = 'own_field';
ALTER TABLE files DROP CONSTRAINT files_purpose_check;
ALTER TABLE files ADD CONSTRAINT files_purpose_check CHECK (purpose IN ('photo', 'logo', 'answer', 'deliverable'));
