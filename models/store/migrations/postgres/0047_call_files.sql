-- +goose Up
-- What a file that answers a question may be: kinds of files, none for all, and bytes.
ALTER TABLE call_questions ADD COLUMN file_kinds text NOT NULL DEFAULT '[]';
ALTER TABLE call_questions ADD COLUMN max_bytes integer CHECK (max_bytes > 0);

-- +goose Down
ALTER TABLE call_questions DROP COLUMN max_bytes;
ALTER TABLE call_questions DROP COLUMN file_kinds;
