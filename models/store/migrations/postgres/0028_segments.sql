-- +goose Up
-- Lists of people under a name: filters, order and columns. Without an event one is of the organization's directory,
-- without a user all of the team have it.
CREATE TABLE segments (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    event_id        text COLLATE "C",
    user_id         text COLLATE "C" REFERENCES users ON DELETE CASCADE,
    name            text NOT NULL CHECK (name <> ''),
    query           text NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id)
);
CREATE INDEX segments_organization ON segments (organization_id);
CREATE INDEX segments_user ON segments (user_id);

-- The directory by its latest change, by job title, and of who has no address.
CREATE INDEX contacts_changed ON contacts (organization_id, updated_at, id);
CREATE INDEX contacts_job ON contacts USING gin (organization_id, job_key gin_trgm_ops);
CREATE INDEX contacts_addressless ON contacts (organization_id, name_key, id) WHERE email_key = '';

-- +goose Down
DROP INDEX contacts_addressless;
DROP INDEX contacts_job;
DROP INDEX contacts_changed;
DROP TABLE segments;
