-- +goose Up
-- What a speaker changed of content that staff approved, until staff accept or refuse it: the text of a session, or
-- somebody's biography and photo. What a column leaves empty stays as it is.
CREATE TABLE revisions (
    id          text PRIMARY KEY,
    event_id    text NOT NULL,
    session_id  text UNIQUE,
    contact_id  text UNIQUE,
    author_id   text NOT NULL,
    title       text CHECK (title <> ''),
    description text,
    about       text,
    photo_id    text UNIQUE REFERENCES files (id),
    drops_photo boolean NOT NULL,
    created_at  text NOT NULL,
    updated_at  text NOT NULL,
    CHECK ((session_id IS NULL) <> (contact_id IS NULL)),
    CHECK (photo_id IS NULL OR NOT drops_photo),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id),
    FOREIGN KEY (event_id, author_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX revisions_event ON revisions (event_id, created_at);
CREATE INDEX revisions_author ON revisions (author_id);

-- +goose Down
DROP TABLE revisions;
