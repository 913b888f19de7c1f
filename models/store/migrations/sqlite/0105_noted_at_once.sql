-- +goose Up
-- SQLite's triggers stay as they are.
SELECT 1;

-- +goose Down
SELECT 1;
