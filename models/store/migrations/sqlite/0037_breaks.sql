-- +goose Up
-- What stands in the agenda beside sessions: a break, or that a room is blocked; room_id null is all rooms.
CREATE TABLE agenda_breaks (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    kind       text NOT NULL CHECK (kind IN ('break', 'blocker')),
    title      text NOT NULL CHECK (title <> ''),
    starts_at  text NOT NULL,
    ends_at    text NOT NULL,
    room_id    text,
    sequence   integer NOT NULL DEFAULT 0 CHECK (sequence >= 0),
    created_at text NOT NULL,
    updated_at text NOT NULL,
    deleted_at text,
    UNIQUE (event_id, id),
    CHECK (ends_at > starts_at),
    FOREIGN KEY (event_id, room_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX agenda_breaks_start ON agenda_breaks (event_id, starts_at, id) WHERE deleted_at IS NULL;
CREATE INDEX agenda_breaks_room ON agenda_breaks (event_id, room_id) WHERE room_id IS NOT NULL;

-- What public calendars say of each session that ever was in them, as they last said it. The ids are of rows as they
-- were then, which may be gone.
CREATE TABLE calendar_entries (
    session_id   text PRIMARY KEY,
    event_id     text NOT NULL,
    title        text NOT NULL,
    starts_at    text NOT NULL,
    ends_at      text,
    track_id     text,
    room_id      text,
    sequence     integer NOT NULL CHECK (sequence >= 0),
    is_cancelled integer NOT NULL,
    updated_at   text NOT NULL,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX calendar_entries_event ON calendar_entries (event_id);
INSERT INTO calendar_entries (session_id, event_id, title, starts_at, ends_at, track_id, room_id, sequence, is_cancelled, updated_at)
SELECT id, event_id, title, starts_at, ends_at, track_id, room_id, 0, false, updated_at FROM sessions
WHERE NOT is_abstract AND is_public AND deleted_at IS NULL AND starts_at IS NOT NULL AND status NOT IN ('declined', 'withdrawn');

CREATE TABLE imported_new (
    event_id  text NOT NULL REFERENCES events,
    kind      text NOT NULL CHECK (kind IN ('session', 'abstract', 'contact', 'break')),
    key       text NOT NULL,
    record_id text NOT NULL,
    PRIMARY KEY (event_id, kind, key)
);
INSERT INTO imported_new (event_id, kind, key, record_id) SELECT event_id, kind, key, record_id FROM imported;
DROP TABLE imported;
ALTER TABLE imported_new RENAME TO imported;

-- +goose Down
CREATE TABLE imported_new (
    event_id  text NOT NULL REFERENCES events,
    kind      text NOT NULL CHECK (kind IN ('session', 'abstract', 'contact')),
    key       text NOT NULL,
    record_id text NOT NULL,
    PRIMARY KEY (event_id, kind, key)
);
INSERT INTO imported_new (event_id, kind, key, record_id)
SELECT event_id, kind, key, record_id FROM imported WHERE kind <> 'break';
DROP TABLE imported;
ALTER TABLE imported_new RENAME TO imported;
DROP TABLE calendar_entries;
DROP TABLE agenda_breaks;
