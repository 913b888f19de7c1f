-- +goose Up
-- Pictures of the start page are files.
-- SQLite changes a check with a column alone.
ALTER TABLE files ADD COLUMN used_for text NOT NULL DEFAULT 'photo'
    CHECK (used_for IN ('photo', 'logo', 'answer', 'deliverable', 'own_field', 'picture'));
UPDATE files SET used_for = purpose;
ALTER TABLE files DROP COLUMN purpose;
ALTER TABLE files RENAME COLUMN used_for TO purpose;

-- How an event's public pages look, and what they say of the place. Colours are #RRGGBB, '' for ours; colours is what
-- was derived from them when they were saved.
CREATE TABLE event_looks (
    event_id    text PRIMARY KEY REFERENCES events,
    venue       text NOT NULL,
    city        text NOT NULL,
    address     text NOT NULL,
    intro       text NOT NULL,
    brand       text NOT NULL CHECK (brand = '' OR length(brand) = 7),
    paper       text NOT NULL CHECK (paper = '' OR length(paper) = 7),
    heading     text NOT NULL CHECK (heading IN ('serif', 'sans')),
    logo_id     text REFERENCES files (id),
    picture_id  text REFERENCES files (id),
    picture_alt text NOT NULL,
    menu        text NOT NULL,
    colours     text NOT NULL,
    created_at  text NOT NULL,
    updated_at  text NOT NULL
);
CREATE INDEX event_looks_logo ON event_looks (logo_id) WHERE logo_id IS NOT NULL;
CREATE INDEX event_looks_picture ON event_looks (picture_id) WHERE picture_id IS NOT NULL;

-- +goose Down
DROP TABLE event_looks;
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE purpose IN ('logo', 'picture');
DELETE FROM files WHERE purpose IN ('logo', 'picture');
ALTER TABLE files ADD COLUMN used_for text NOT NULL DEFAULT 'photo'
    CHECK (used_for IN ('photo', 'logo', 'answer', 'deliverable', 'own_field'));
UPDATE files SET used_for = purpose;
ALTER TABLE files DROP COLUMN purpose;
ALTER TABLE files RENAME COLUMN used_for TO purpose;
