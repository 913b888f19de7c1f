-- +goose Up
-- How many bytes of files come in an hour by a person's place, or to an event.
CREATE TABLE brought_bytes (
    whose text NOT NULL,
    hour text NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (whose, hour)
);
CREATE INDEX brought_bytes_age ON brought_bytes (hour);

-- +goose Down
DROP TABLE brought_bytes;
