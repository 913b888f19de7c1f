-- +goose Up
-- Addresses by which somebody is known besides their own: those of contacts that were merged into them.
CREATE TABLE contact_aliases (
    organization_id text NOT NULL,
    email_key       text NOT NULL CHECK (email_key <> ''),
    email           text NOT NULL,
    contact_id      text NOT NULL,
    created_at      text NOT NULL,
    PRIMARY KEY (organization_id, email_key),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);
CREATE INDEX contact_aliases_contact ON contact_aliases (contact_id);

-- An address is one person's, whether it is their own or an alias.
-- +goose StatementBegin
CREATE TRIGGER contacts_alias_insert AFTER INSERT ON contacts WHEN new.email_key <> '' AND EXISTS
    (SELECT 1 FROM contact_aliases a WHERE a.organization_id = new.organization_id AND a.email_key = new.email_key)
BEGIN SELECT RAISE(ABORT, 'the address is an alias'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER contacts_alias_update AFTER UPDATE OF email_key ON contacts WHEN new.email_key <> '' AND EXISTS
    (SELECT 1 FROM contact_aliases a WHERE a.organization_id = new.organization_id AND a.email_key = new.email_key)
BEGIN SELECT RAISE(ABORT, 'the address is an alias'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER contact_aliases_insert AFTER INSERT ON contact_aliases WHEN EXISTS
    (SELECT 1 FROM contacts c WHERE c.organization_id = new.organization_id AND c.email_key = new.email_key)
BEGIN SELECT RAISE(ABORT, 'the address is a contact''s own'); END;
-- +goose StatementEnd

-- Two who look alike and are not the same. Each pair stands once.
CREATE TABLE dismissed_pairs (
    organization_id text NOT NULL,
    first_id        text NOT NULL,
    second_id       text NOT NULL,
    by_name         text NOT NULL,
    created_at      text NOT NULL,
    PRIMARY KEY (first_id, second_id),
    CHECK (first_id < second_id),
    FOREIGN KEY (organization_id, first_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, second_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX dismissed_pairs_second ON dismissed_pairs (second_id);
CREATE INDEX dismissed_pairs_organization ON dismissed_pairs (organization_id, created_at);

-- When what was kept of somebody was erased.
ALTER TABLE contacts ADD COLUMN erased_at text;

-- +goose Down
ALTER TABLE contacts DROP COLUMN erased_at;
DROP TABLE dismissed_pairs;
DROP TRIGGER contacts_alias_insert;
DROP TRIGGER contacts_alias_update;
DROP TABLE contact_aliases;
