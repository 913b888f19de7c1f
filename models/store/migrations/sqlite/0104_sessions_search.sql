-- +goose Up
-- SQLite has its index of words beside the sessions from the start (sessions_search).
SELECT 1;

-- +goose Down
SELECT 1;
