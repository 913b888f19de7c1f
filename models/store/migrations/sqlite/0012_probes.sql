-- +goose Up
-- The row that a check of whether changes are taken writes.
CREATE TABLE probes (
    id integer PRIMARY KEY CHECK (id = 1),
    written_at text NOT NULL
);

-- +goose Down
DROP TABLE probes;
