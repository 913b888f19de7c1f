-- +goose Up
-- Rounds of reviews. One of each event gives its reviewers everything, and has the event's id; others give what is
-- assigned, to those whose addresses are on them, also before they accepted their invitation.
CREATE TABLE review_rounds (
    id         text PRIMARY KEY,
    event_id   text NOT NULL REFERENCES events,
    name       text NOT NULL CHECK (name <> ''),
    gives_all  boolean NOT NULL,
    is_blind   boolean NOT NULL,
    opens_at   text,
    closes_at  text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    UNIQUE (event_id, id),
    CHECK (gives_all = (id = event_id)),
    CHECK (NOT (gives_all AND is_blind)),
    CHECK (opens_at < closes_at)
);
INSERT INTO review_rounds (id, event_id, name, gives_all, is_blind, created_at, updated_at)
    SELECT id, id, 'All submissions', true, false, created_at, created_at FROM events;

-- What the scorecard of a round asks, in this order.
CREATE TABLE review_criteria (
    id       text PRIMARY KEY,
    event_id text NOT NULL,
    round_id text NOT NULL,
    position integer NOT NULL,
    name     text NOT NULL CHECK (name <> ''),
    kind     text NOT NULL CHECK (kind IN ('number', 'choice', 'text')),
    low      integer,
    high     integer,
    weight   integer CHECK (weight BETWEEN 1 AND 100),
    choices  text NOT NULL,
    UNIQUE (round_id, position),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE,
    CHECK ((kind = 'number') = (weight IS NOT NULL)),
    CHECK ((kind = 'number') = (low IS NOT NULL)),
    CHECK ((kind = 'number') = (high IS NOT NULL)),
    CHECK (low < high)
);

CREATE TABLE round_reviewers (
    event_id   text NOT NULL,
    round_id   text NOT NULL,
    email_key  text NOT NULL CHECK (email_key <> ''),
    created_at text NOT NULL,
    PRIMARY KEY (round_id, email_key),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE
);
CREATE INDEX round_reviewers_email ON round_reviewers (email_key);

CREATE TABLE review_assignments (
    event_id   text NOT NULL,
    round_id   text NOT NULL,
    session_id text NOT NULL,
    user_id    text NOT NULL REFERENCES users,
    created_at text NOT NULL,
    PRIMARY KEY (round_id, session_id, user_id),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX review_assignments_user ON review_assignments (round_id, user_id);
CREATE INDEX review_assignments_session ON review_assignments (event_id, session_id);

-- What becomes of a submission in a round: how many it is assigned to, how many scored it and how many stepped
-- aside, and of the scores the mean, in hundredths, and the variance.
CREATE TABLE review_results (
    event_id   text NOT NULL,
    round_id   text NOT NULL,
    session_id text NOT NULL,
    assigned   integer NOT NULL DEFAULT 0,
    answered   integer NOT NULL DEFAULT 0,
    aside      integer NOT NULL DEFAULT 0,
    scored     integer NOT NULL DEFAULT 0,
    mean       integer,
    variance   integer,
    PRIMARY KEY (round_id, session_id),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    CHECK ((mean IS NULL) = (scored = 0)),
    CHECK ((variance IS NULL) = (scored = 0))
);
CREATE INDEX review_results_mean ON review_results (round_id, mean DESC, session_id);
CREATE INDEX review_results_session ON review_results (event_id, session_id);

-- Answers by which somebody can be told, by their questions.
CREATE TABLE identifying_answers (
    event_id text NOT NULL REFERENCES events,
    key      text NOT NULL,
    PRIMARY KEY (event_id, key)
);

-- A review belongs to a round. Its points are a score from 1 to 5 in hundredths.
CREATE TABLE reviews_anew (
    event_id   text NOT NULL,
    round_id   text NOT NULL,
    session_id text NOT NULL,
    user_id    text NOT NULL REFERENCES users,
    state      text NOT NULL DEFAULT 'given' CHECK (state IN ('given', 'abstained', 'conflict')),
    points     integer CHECK (points BETWEEN 100 AND 500),
    comment    text NOT NULL,
    answers    text NOT NULL DEFAULT '{}',
    created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (session_id, user_id, round_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id),
    CHECK (points IS NULL OR state = 'given')
);
INSERT INTO reviews_anew (event_id, round_id, session_id, user_id, points, comment, created_at, updated_at)
    SELECT event_id, event_id, session_id, user_id, score * 100, comment, created_at, updated_at FROM reviews;
DROP TABLE reviews;
ALTER TABLE reviews_anew RENAME TO reviews;
CREATE INDEX reviews_user ON reviews (event_id, user_id);
CREATE INDEX reviews_round ON reviews (round_id, session_id);
INSERT INTO review_results (event_id, round_id, session_id, answered, scored, mean, variance)
    SELECT event_id, round_id, session_id, count(*), count(*), (2 * sum(points) + count(*)) / (2 * count(*)),
        (count(*) * sum(points * points) - sum(points) * sum(points)) / (count(*) * count(*))
    FROM reviews WHERE NOT EXISTS (SELECT 1 FROM participants JOIN contacts ON contacts.id = participants.contact_id
        JOIN users ON users.email_key = contacts.email_key
        WHERE participants.session_id = reviews.session_id AND users.id = reviews.user_id) GROUP BY event_id, round_id, session_id;

-- +goose Down
CREATE TABLE reviews_before (
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
INSERT INTO reviews_before SELECT event_id, session_id, user_id, (points + 50) / 100, comment, created_at, updated_at
    FROM reviews WHERE round_id = event_id AND points IS NOT NULL;
DROP TABLE reviews;
ALTER TABLE reviews_before RENAME TO reviews;
CREATE INDEX reviews_user ON reviews (event_id, user_id);
UPDATE sessions SET (score, reviews) = (
    SELECT (200 * sum(score) + count(*)) / nullif(2 * count(*), 0), count(*) FROM reviews
    WHERE session_id = sessions.id AND NOT EXISTS (SELECT 1 FROM participants JOIN contacts ON contacts.id = participants.contact_id
        JOIN users ON users.email_key = contacts.email_key
        WHERE participants.session_id = reviews.session_id AND users.id = reviews.user_id)) WHERE is_abstract;
DROP TABLE identifying_answers;
DROP TABLE review_results;
DROP TABLE review_assignments;
DROP TABLE round_reviewers;
DROP TABLE review_criteria;
DROP TABLE review_rounds;
