-- +goose Up
SET LOCAL statement_timeout = 0;
-- What stands in the agenda beside sessions: a break, or that a room is blocked; room_id null is all rooms.
CREATE TABLE agenda_breaks (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL REFERENCES events,
    kind       text COLLATE "C" NOT NULL CHECK (kind IN ('break', 'blocker')),
    title      text NOT NULL CHECK (title <> ''),
    starts_at  timestamptz(3) NOT NULL,
    ends_at    timestamptz(3) NOT NULL,
    room_id    text COLLATE "C",
    sequence   integer NOT NULL DEFAULT 0 CHECK (sequence >= 0),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    UNIQUE (event_id, id),
    CHECK (ends_at > starts_at),
    FOREIGN KEY (event_id, room_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX agenda_breaks_start ON agenda_breaks (event_id, starts_at, id) WHERE deleted_at IS NULL;
CREATE INDEX agenda_breaks_room ON agenda_breaks (event_id, room_id) WHERE room_id IS NOT NULL;

-- What public calendars say of each session that ever was in them, as they last said it. The ids are of rows as they
-- were then, which may be gone.
CREATE TABLE calendar_entries (
    session_id   text COLLATE "C" PRIMARY KEY,
    event_id     text COLLATE "C" NOT NULL,
    title        text NOT NULL,
    starts_at    timestamptz(3) NOT NULL,
    ends_at      timestamptz(3),
    track_id     text COLLATE "C",
    room_id      text COLLATE "C",
    sequence     integer NOT NULL CHECK (sequence >= 0),
    is_cancelled boolean NOT NULL,
    updated_at   timestamptz(3) NOT NULL,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX calendar_entries_event ON calendar_entries (event_id);
INSERT INTO calendar_entries (session_id, event_id, title, starts_at, ends_at, track_id, room_id, sequence, is_cancelled, updated_at)
SELECT id, event_id, title, starts_at, ends_at, track_id, room_id, 0, false, updated_at FROM sessions
WHERE NOT is_abstract AND is_public AND deleted_at IS NULL AND starts_at IS NOT NULL AND status NOT IN ('declined', 'withdrawn');

ALTER TABLE imported
    DROP CONSTRAINT imported_kind_check,
    ADD CONSTRAINT imported_kind_check CHECK (kind IN ('session', 'abstract', 'contact', 'break'));

-- +goose Down
SET LOCAL statement_timeout = 0;
DELETE FROM imported WHERE kind = 'break';
ALTER TABLE imported
    DROP CONSTRAINT imported_kind_check,
    ADD CONSTRAINT imported_kind_check CHECK (kind IN ('session', 'abstract', 'contact'));
DROP TABLE calendar_entries;
DROP TABLE agenda_breaks;
