-- +goose Up
SELECT 1; -- about locks of PostgreSQL alone

-- +goose Down
SELECT 1;
