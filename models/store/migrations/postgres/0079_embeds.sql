-- +goose Up
-- What other sites frame of an event's public pages. Its id is random and tells nothing; filters are ids of metadata by
-- what they narrow.
CREATE TABLE embeds (
    id                 text COLLATE "C" PRIMARY KEY,
    event_id           text COLLATE "C" NOT NULL REFERENCES events,
    name               text NOT NULL,
    kind               text COLLATE "C" NOT NULL CHECK (kind IN ('sessions', 'agenda', 'itinerary', 'speakers', 'gallery')),
    filters            text NOT NULL,
    language           text COLLATE "C" NOT NULL,
    shows_descriptions boolean NOT NULL,
    shows_companies    boolean NOT NULL,
    shows_photos       boolean NOT NULL,
    is_on              boolean NOT NULL,
    last_asked_at      timestamptz(3),
    created_at         timestamptz(3) NOT NULL,
    updated_at         timestamptz(3) NOT NULL
);
CREATE INDEX embeds_event ON embeds (event_id);

-- +goose Down
DROP TABLE embeds;
