-- +goose Up
-- What another system said of a row when it was last brought from there: a hash for each field, as a JSON object.
ALTER TABLE imported
    ADD COLUMN said text NOT NULL DEFAULT '{}',
    DROP CONSTRAINT imported_kind_check,
    ADD CONSTRAINT imported_kind_check CHECK (kind IN
        ('session', 'abstract', 'contact', 'break', 'metadata', 'question', 'round', 'person', 'review'));

-- +goose Down
DELETE FROM imported WHERE kind IN ('metadata', 'question', 'round', 'person', 'review');
ALTER TABLE imported
    DROP COLUMN said,
    DROP CONSTRAINT imported_kind_check,
    ADD CONSTRAINT imported_kind_check CHECK (kind IN ('session', 'abstract', 'contact', 'break'));
