-- +goose Up
-- Rounds of reviews. One of each event gives its reviewers everything, and has the event's id; others give what is
-- assigned, to those whose addresses are on them, also before they accepted their invitation.
CREATE TABLE review_rounds (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL REFERENCES events,
    name       text NOT NULL CHECK (name <> ''),
    gives_all  boolean NOT NULL,
    is_blind   boolean NOT NULL,
    opens_at   timestamptz(3),
    closes_at  timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    UNIQUE (event_id, id),
    CHECK (gives_all = (id = event_id)),
    CHECK (NOT (gives_all AND is_blind)),
    CHECK (opens_at < closes_at)
);
INSERT INTO review_rounds (id, event_id, name, gives_all, is_blind, created_at, updated_at)
    SELECT id, id, 'All submissions', true, false, created_at, created_at FROM events;

-- What the scorecard of a round asks, in this order.
CREATE TABLE review_criteria (
    id       text COLLATE "C" PRIMARY KEY,
    event_id text COLLATE "C" NOT NULL,
    round_id text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    name     text NOT NULL CHECK (name <> ''),
    kind     text COLLATE "C" NOT NULL CHECK (kind IN ('number', 'choice', 'text')),
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
    event_id   text COLLATE "C" NOT NULL,
    round_id   text COLLATE "C" NOT NULL,
    email_key  text COLLATE "C" NOT NULL CHECK (email_key <> ''),
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (round_id, email_key),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE
);
CREATE INDEX round_reviewers_email ON round_reviewers (email_key);

CREATE TABLE review_assignments (
    event_id   text COLLATE "C" NOT NULL,
    round_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    user_id    text COLLATE "C" NOT NULL REFERENCES users,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (round_id, session_id, user_id),
    FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE
);
CREATE INDEX review_assignments_user ON review_assignments (round_id, user_id);
CREATE INDEX review_assignments_session ON review_assignments (event_id, session_id);

-- What becomes of a submission in a round: how many it is assigned to, how many scored it and how many stepped
-- aside, and of the scores the mean, in hundredths, and the variance.
CREATE TABLE review_results (
    event_id   text COLLATE "C" NOT NULL,
    round_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
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
CREATE INDEX review_results_mean ON review_results (round_id, mean DESC NULLS LAST, session_id);
CREATE INDEX review_results_session ON review_results (event_id, session_id);

-- Answers by which somebody can be told, by their questions.
CREATE TABLE identifying_answers (
    event_id text COLLATE "C" NOT NULL REFERENCES events,
    key      text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, key)
);

-- A review belongs to a round. Its points are a score from 1 to 5 in hundredths.
ALTER TABLE reviews
    ADD COLUMN round_id text COLLATE "C",
    ADD COLUMN state    text COLLATE "C" NOT NULL DEFAULT 'given' CHECK (state IN ('given', 'abstained', 'conflict')),
    ADD COLUMN points   integer CHECK (points BETWEEN 100 AND 500),
    ADD COLUMN answers  text NOT NULL DEFAULT '{}',
    ADD CHECK (points IS NULL OR state = 'given');
UPDATE reviews SET round_id = event_id, points = score * 100;
ALTER TABLE reviews DROP COLUMN score;
ALTER TABLE reviews
    ALTER COLUMN round_id SET NOT NULL,
    DROP CONSTRAINT reviews_pkey,
    ADD PRIMARY KEY (session_id, user_id, round_id),
    ADD FOREIGN KEY (event_id, round_id) REFERENCES review_rounds (event_id, id);
CREATE INDEX reviews_round ON reviews (round_id, session_id);
INSERT INTO review_results (event_id, round_id, session_id, answered, scored, mean, variance)
    SELECT event_id, round_id, session_id, count(*), count(*), (2 * sum(points) + count(*)) / (2 * count(*)),
        (count(*) * sum(points * points) - sum(points) * sum(points)) / (count(*) * count(*))
    FROM reviews WHERE NOT EXISTS (SELECT 1 FROM participants JOIN contacts ON contacts.id = participants.contact_id
        JOIN users ON users.email_key = contacts.email_key
        WHERE participants.session_id = reviews.session_id AND users.id = reviews.user_id) GROUP BY event_id, round_id, session_id;

-- +goose Down
DELETE FROM reviews WHERE round_id <> event_id OR points IS NULL;
ALTER TABLE reviews DROP CONSTRAINT reviews_pkey, ADD COLUMN score integer CHECK (score BETWEEN 1 AND 5);
UPDATE reviews SET score = (points + 50) / 100;
ALTER TABLE reviews ALTER COLUMN score SET NOT NULL, ADD PRIMARY KEY (session_id, user_id),
    DROP COLUMN round_id, DROP COLUMN state, DROP COLUMN points, DROP COLUMN answers;
UPDATE sessions SET (score, reviews) = (
    SELECT (200 * sum(score) + count(*)) / nullif(2 * count(*), 0), count(*) FROM reviews
    WHERE session_id = sessions.id AND NOT EXISTS (SELECT 1 FROM participants JOIN contacts ON contacts.id = participants.contact_id
        JOIN users ON users.email_key = contacts.email_key
        WHERE participants.session_id = reviews.session_id AND users.id = reviews.user_id)) WHERE is_abstract;
DROP TABLE identifying_answers, review_results, review_assignments, round_reviewers, review_criteria, review_rounds;
