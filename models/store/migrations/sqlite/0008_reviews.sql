-- +goose Up
-- What members of staff think of submissions. The session keeps the mean, in
-- hundredths of a point, and how many they are: lists filter and sort by it.
CREATE TABLE reviews (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    user_id    text NOT NULL REFERENCES users,
    score      integer NOT NULL CHECK (score BETWEEN 1 AND 5),
    comment    text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (session_id, user_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX reviews_user ON reviews (event_id, user_id);

ALTER TABLE sessions ADD COLUMN score integer CHECK (score BETWEEN 100 AND 500);
ALTER TABLE sessions ADD COLUMN reviews integer NOT NULL DEFAULT 0 CHECK ((score IS NULL) = (reviews = 0));
CREATE INDEX sessions_score ON sessions (event_id, is_abstract, score DESC, id DESC) WHERE deleted_at IS NULL;

-- +goose Down
DROP TABLE reviews;
DROP INDEX sessions_score;
ALTER TABLE sessions DROP COLUMN reviews;
ALTER TABLE sessions DROP COLUMN score;
