-- +goose Up
-- A session that is deleted takes its rows along. SQLite, which takes one index for any other without statistics, looked
-- for them among all rows of the event.
CREATE INDEX participants_session ON participants (session_id, event_id);
CREATE INDEX session_tags_session ON session_tags (session_id, event_id);
CREATE INDEX participations_session ON participations (session_id, event_id);
CREATE INDEX reviews_session ON reviews (session_id, event_id);

-- +goose Down
DROP INDEX reviews_session;
DROP INDEX participations_session;
DROP INDEX session_tags_session;
DROP INDEX participants_session;
