-- +goose Up
-- The words by which sessions are found have a table of their own, as in SQLite. PostgreSQL enters each version of a row
-- in all of its indexes, so a new status, place or score entered every trigram of the text once more, which took half of
-- the time of the change. Title and rest are rows of their own, so that a new title leaves the description's alone.
DROP INDEX sessions_search;

CREATE TABLE sessions_search (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    of_title   boolean NOT NULL,
    words      text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, session_id, of_title),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
INSERT INTO sessions_search SELECT event_id, id, true, split_part(search, chr(10), 1) FROM sessions;
INSERT INTO sessions_search
    SELECT event_id, id, false, substr(search, length(split_part(search, chr(10), 1)) + 2) FROM sessions;
CREATE INDEX sessions_search_words ON sessions_search USING gin (event_id, words gin_trgm_ops);
ANALYZE sessions_search;

-- +goose StatementBegin
CREATE FUNCTION keep_sessions_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sessions_search AS w VALUES
        (NEW.event_id, NEW.id, true, split_part(NEW.search, chr(10), 1)),
        (NEW.event_id, NEW.id, false, substr(NEW.search, length(split_part(NEW.search, chr(10), 1)) + 2))
        ON CONFLICT (event_id, session_id, of_title) DO UPDATE SET words = excluded.words WHERE w.words <> excluded.words;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sessions_search_insert AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_sessions_search();
CREATE TRIGGER sessions_search_update AFTER UPDATE OF search ON sessions
    FOR EACH ROW WHEN (OLD.search <> NEW.search) EXECUTE FUNCTION keep_sessions_search();

-- +goose Down
DROP TRIGGER sessions_search_insert ON sessions;
DROP TRIGGER sessions_search_update ON sessions;
DROP FUNCTION keep_sessions_search;
DROP TABLE sessions_search;
CREATE INDEX sessions_search ON sessions USING gin (event_id, search gin_trgm_ops);
