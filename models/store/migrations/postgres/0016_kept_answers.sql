-- +goose Up
-- Answers to requests that must have their effect only once, and whose they are: an
-- API key's, or a form's.
CREATE TABLE kept_answers (
    owner      text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    request    text COLLATE "C" NOT NULL,
    answer     text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (owner, key)
);
INSERT INTO kept_answers
    SELECT 'key ' || api_key_id, key, request, answer, created_at + interval '24 hours' FROM idempotency
    UNION ALL SELECT 'form', id, content, answer, created_at + interval '336 hours' FROM sent_forms;
CREATE INDEX kept_answers_age ON kept_answers (expires_at);
DROP TABLE idempotency, sent_forms;

-- +goose Down
CREATE TABLE idempotency (
    api_key_id text COLLATE "C" NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    key        text COLLATE "C" NOT NULL,
    request    text COLLATE "C" NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
INSERT INTO idempotency SELECT substr(owner, 5), key, request, answer, expires_at - interval '24 hours'
    FROM kept_answers WHERE owner <> 'form';
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE TABLE sent_forms (
    id         text COLLATE "C" PRIMARY KEY,
    content    text COLLATE "C" NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz(3) NOT NULL
);
INSERT INTO sent_forms SELECT key, request, answer, expires_at - interval '336 hours'
    FROM kept_answers WHERE owner = 'form';
CREATE INDEX sent_forms_age ON sent_forms (created_at);
DROP TABLE kept_answers;
