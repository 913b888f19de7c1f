-- +goose Up
-- What other sites frame of an event's public pages. Its id is random and tells nothing; filters are ids of metadata by
-- what they narrow.
CREATE TABLE embeds (
    id                 text PRIMARY KEY,
    event_id           text NOT NULL REFERENCES events,
    name               text NOT NULL,
    kind               text NOT NULL CHECK (kind IN ('sessions', 'agenda', 'itinerary', 'speakers', 'gallery')),
    filters            text NOT NULL,
    language           text NOT NULL,
    shows_descriptions integer NOT NULL,
    shows_companies    integer NOT NULL,
    shows_photos       integer NOT NULL,
    is_on              integer NOT NULL,
    last_asked_at      text,
    created_at         text NOT NULL,
    updated_at         text NOT NULL
);
CREATE INDEX embeds_event ON embeds (event_id);

-- +goose Down
DROP TABLE embeds;
