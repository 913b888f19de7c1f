-- +goose Up
SELECT 1; -- about how SQLite takes indexes alone

-- +goose Down
SELECT 1;
