-- +goose Up
-- Answers to requests that must have their effect only once, and whose they are: an
-- API key's, or a form's.
CREATE TABLE kept_answers (
    owner      text NOT NULL,
    key        text NOT NULL,
    request    text NOT NULL,
    answer     text NOT NULL,
    expires_at text NOT NULL,
    PRIMARY KEY (owner, key)
);
INSERT INTO kept_answers
    SELECT 'key ' || api_key_id, key, request, answer, strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+1 day') FROM idempotency
    UNION ALL SELECT 'form', id, content, answer, strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+14 days') FROM sent_forms;
CREATE INDEX kept_answers_age ON kept_answers (expires_at);
DROP TABLE idempotency;
DROP TABLE sent_forms;

-- +goose Down
CREATE TABLE idempotency (
    api_key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    key        text NOT NULL,
    request    text NOT NULL,
    answer     text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
INSERT INTO idempotency SELECT substr(owner, 5), key, request, answer, strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-1 day')
    FROM kept_answers WHERE owner <> 'form';
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE TABLE sent_forms (
    id         text PRIMARY KEY,
    content    text NOT NULL,
    answer     text NOT NULL,
    created_at text NOT NULL
);
INSERT INTO sent_forms SELECT key, request, answer, strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-14 days')
    FROM kept_answers WHERE owner = 'form';
CREATE INDEX sent_forms_age ON sent_forms (created_at);
DROP TABLE kept_answers;
