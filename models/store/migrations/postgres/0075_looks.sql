-- +goose Up
-- Pictures of the start page are files.
ALTER TABLE files DROP CONSTRAINT files_purpose_check;
ALTER TABLE files ADD CONSTRAINT files_purpose_check
    CHECK (purpose IN ('photo', 'logo', 'answer', 'deliverable', 'own_field', 'picture'));

-- How an event's public pages look, and what they say of the place. Colours are #RRGGBB, '' for ours; colours is what
-- was derived from them when they were saved.
CREATE TABLE event_looks (
    event_id    text COLLATE "C" PRIMARY KEY REFERENCES events,
    venue       text NOT NULL,
    city        text NOT NULL,
    address     text NOT NULL,
    intro       text NOT NULL,
    brand       text COLLATE "C" NOT NULL CHECK (brand = '' OR length(brand) = 7),
    paper       text COLLATE "C" NOT NULL CHECK (paper = '' OR length(paper) = 7),
    heading     text COLLATE "C" NOT NULL CHECK (heading IN ('serif', 'sans')),
    logo_id     text COLLATE "C" REFERENCES files (id),
    picture_id  text COLLATE "C" REFERENCES files (id),
    picture_alt text NOT NULL,
    menu        text NOT NULL,
    colours     text NOT NULL,
    created_at  timestamptz(3) NOT NULL,
    updated_at  timestamptz(3) NOT NULL
);
CREATE INDEX event_looks_logo ON event_looks (logo_id) WHERE logo_id IS NOT NULL;
CREATE INDEX event_looks_picture ON event_looks (picture_id) WHERE picture_id IS NOT NULL;

-- +goose Down
DROP TABLE event_looks;
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE purpose IN ('logo', 'picture');
DELETE FROM files WHERE purpose IN ('logo', 'picture');
ALTER TABLE files DROP CONSTRAINT files_purpose_check;
ALTER TABLE files ADD CONSTRAINT files_purpose_check
    CHECK (purpose IN ('photo', 'logo', 'answer', 'deliverable', 'own_field'));
