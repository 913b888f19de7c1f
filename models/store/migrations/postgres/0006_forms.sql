-- +goose Up
-- Forms that made something, so that sent again they make nothing.
CREATE TABLE sent_forms (
    id         text COLLATE "C" PRIMARY KEY,
    content    text COLLATE "C" NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz(3) NOT NULL
);
CREATE INDEX sent_forms_age ON sent_forms (created_at);

-- +goose Down
DROP TABLE sent_forms;
