-- +goose Up
-- Forms of the public call that began a proposal: each counts once, for as long as it is good.
CREATE TABLE used_stamps (
    stamp text PRIMARY KEY,
    used_at text NOT NULL
);
CREATE INDEX used_stamps_age ON used_stamps (used_at);

-- +goose Down
DROP TABLE used_stamps;
