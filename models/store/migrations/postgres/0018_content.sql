-- +goose Up
-- Whether the content of programme sessions is approved, at events that ask for it.
ALTER TABLE sessions
    ADD COLUMN content_state text COLLATE "C" NOT NULL DEFAULT 'draft'
        CHECK (content_state IN ('draft', 'in_review', 'approved')),
    ADD CHECK (content_state = 'draft' OR NOT is_abstract);
ALTER TABLE events ADD COLUMN asks_approval boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE events DROP COLUMN asks_approval;
ALTER TABLE sessions DROP COLUMN content_state;
