-- +goose Up
-- What an import writes of each of its people is part of the one line that tells of the import, which stands for all of
-- them in the activity of the event.
ALTER TABLE activity ADD COLUMN part_of text NOT NULL DEFAULT '';
UPDATE activity SET part_of = request_id
    WHERE subject = 'contact' AND request_id IN (SELECT id FROM contact_imports);
DROP INDEX activity_event;
CREATE INDEX activity_event ON activity (event_id, created_at, id) WHERE part_of = '';

-- +goose Down
DROP INDEX activity_event;
ALTER TABLE activity DROP COLUMN part_of;
CREATE INDEX activity_event ON activity (event_id, created_at);
