-- +goose Up
-- People as a directory: what is kept of them at an event, notes, and the fields that staff define themselves.
ALTER TABLE contacts ADD COLUMN company_key text NOT NULL DEFAULT '';
ALTER TABLE contacts ADD COLUMN job_key text NOT NULL DEFAULT '';
-- What is searched stands in the index by which the directory is read in its order.
CREATE INDEX contacts_name ON contacts (organization_id, name_key, id, search);
CREATE INDEX contacts_company ON contacts (organization_id, company_key);
INSERT INTO folding VALUES ('contacts', '') ON CONFLICT DO NOTHING;

-- Nothing has written a status so far; SQLite adds a check with a column alone.
ALTER TABLE event_contacts DROP COLUMN workflow_status;
ALTER TABLE event_contacts ADD COLUMN workflow_status text NOT NULL DEFAULT ''
    CHECK (workflow_status IN ('', 'prospect', 'invited', 'confirmed', 'declined', 'withdrawn'));
ALTER TABLE event_contacts ADD COLUMN arrival text NOT NULL DEFAULT '';
ALTER TABLE event_contacts ADD COLUMN departure text NOT NULL DEFAULT '';
ALTER TABLE event_contacts ADD COLUMN hotel text NOT NULL DEFAULT '';
ALTER TABLE event_contacts ADD COLUMN dietary text NOT NULL DEFAULT '';
ALTER TABLE event_contacts ADD COLUMN access text NOT NULL DEFAULT '';
ALTER TABLE event_contacts ADD COLUMN availability text NOT NULL DEFAULT '';
CREATE INDEX event_contacts_contact ON event_contacts (contact_id);

-- What staff note of somebody. Who wrote it may be gone, their name stays.
CREATE TABLE contact_notes (
    id              text PRIMARY KEY,
    organization_id text NOT NULL,
    event_id        text NOT NULL,
    contact_id      text NOT NULL,
    author_id       text NOT NULL,
    author_name     text NOT NULL,
    text            text NOT NULL,
    created_at      text NOT NULL,
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);
CREATE INDEX contact_notes_contact ON contact_notes (contact_id, created_at);

-- The fields of people that an organization defines, and their values: none where there is no row. The key of a
-- field is its id.
CREATE TABLE contact_fields (
    key             text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    label           text NOT NULL,
    label_key       text NOT NULL,
    help            text NOT NULL,
    type            text NOT NULL CHECK (type IN ('text', 'long_text', 'choice', 'choices', 'number', 'date', 'url',
        'email', 'yes_no')),
    options         text NOT NULL,
    position        integer NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    UNIQUE (organization_id, key)
);
CREATE UNIQUE INDEX contact_fields_label ON contact_fields (organization_id, label_key) WHERE label_key <> '';

CREATE TABLE contact_values (
    organization_id text NOT NULL,
    field_key       text NOT NULL,
    contact_id      text NOT NULL,
    value           text NOT NULL CHECK (value <> ''),
    search          text NOT NULL,
    PRIMARY KEY (field_key, contact_id),
    FOREIGN KEY (organization_id, field_key) REFERENCES contact_fields (organization_id, key) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);
CREATE INDEX contact_values_contact ON contact_values (contact_id);

-- +goose Down
DROP TABLE contact_values;
DROP TABLE contact_fields;
DROP TABLE contact_notes;
DROP INDEX event_contacts_contact;
ALTER TABLE event_contacts DROP COLUMN arrival;
ALTER TABLE event_contacts DROP COLUMN departure;
ALTER TABLE event_contacts DROP COLUMN hotel;
ALTER TABLE event_contacts DROP COLUMN dietary;
ALTER TABLE event_contacts DROP COLUMN access;
ALTER TABLE event_contacts DROP COLUMN availability;
ALTER TABLE event_contacts ADD COLUMN status text NOT NULL DEFAULT '';
UPDATE event_contacts SET status = workflow_status;
ALTER TABLE event_contacts DROP COLUMN workflow_status;
ALTER TABLE event_contacts RENAME COLUMN status TO workflow_status;
DROP INDEX contacts_company;
DROP INDEX contacts_name;
ALTER TABLE contacts DROP COLUMN company_key;
ALTER TABLE contacts DROP COLUMN job_key;
