-- +goose Up
-- Lists of people under a name: filters, order and columns. Without an event one is of the organization's directory,
-- without a user all of the team have it.
CREATE TABLE segments (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text,
    user_id         text REFERENCES users ON DELETE CASCADE,
    name            text NOT NULL CHECK (name <> ''),
    query           text NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
CREATE INDEX segments_organization ON segments (organization_id);
CREATE INDEX segments_user ON segments (user_id);

-- The directory by its latest change, and of who has no address. What is searched stands in the indexes by which it is
-- read in its order.
CREATE INDEX contacts_changed ON contacts (organization_id, updated_at, id, search, job_key);
CREATE INDEX contacts_addressless ON contacts (organization_id, name_key, id) WHERE email_key = '';
DROP INDEX contacts_name;
CREATE INDEX contacts_name ON contacts (organization_id, name_key, id, search, job_key);

-- +goose Down
DROP INDEX contacts_name;
CREATE INDEX contacts_name ON contacts (organization_id, name_key, id, search);
DROP INDEX contacts_addressless;
DROP INDEX contacts_changed;
DROP TABLE segments;
