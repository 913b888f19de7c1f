-- +goose Up
-- What the call for papers writes: to a contact, or to an address that is no contact's yet, which then stands in
-- to_email. about_id is the proposal; account_id and co_speaker_id name whose link it takes along. None of the three
-- refers: what a letter was about may be gone, and the log stays.
ALTER TABLE letters
    ADD COLUMN about_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN account_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN co_speaker_id text COLLATE "C" NOT NULL DEFAULT '',
    DROP CONSTRAINT letters_kind,
    DROP CONSTRAINT letters_to,
    ADD CONSTRAINT letters_kind CHECK (kind IN ('accepted', 'declined', 'undone', 'free', 'note', 'invitation', 'call')),
    ADD CONSTRAINT letters_to CHECK (kind = 'call' OR (kind IN ('note', 'invitation')) = (contact_id = '' AND to_email <> '')),
    ADD CONSTRAINT letters_call CHECK (kind <> 'call' OR event_id IS NOT NULL AND (contact_id <> '' OR to_email <> '')),
    ADD CONSTRAINT letters_about CHECK (kind = 'call' OR about_id = '' AND account_id = '' AND co_speaker_id = '');
CREATE INDEX letters_about ON letters (about_id) WHERE about_id <> '';

-- +goose Down
DELETE FROM letters WHERE kind = 'call';
DROP INDEX letters_about;
ALTER TABLE letters
    DROP CONSTRAINT letters_about,
    DROP CONSTRAINT letters_call,
    DROP CONSTRAINT letters_to,
    DROP CONSTRAINT letters_kind,
    DROP COLUMN co_speaker_id,
    DROP COLUMN account_id,
    DROP COLUMN about_id,
    ADD CONSTRAINT letters_kind CHECK (kind IN ('accepted', 'declined', 'undone', 'free', 'note', 'invitation')),
    ADD CONSTRAINT letters_to CHECK ((kind IN ('note', 'invitation')) = (contact_id = '' AND to_email <> ''));
