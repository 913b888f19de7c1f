-- +goose Up
-- Addresses by which somebody is known besides their own: those of contacts that were merged into them.
CREATE TABLE contact_aliases (
    organization_id text COLLATE "C" NOT NULL,
    email_key       text COLLATE "C" NOT NULL CHECK (email_key <> ''),
    email           text NOT NULL,
    contact_id      text COLLATE "C" NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, email_key),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);
CREATE INDEX contact_aliases_contact ON contact_aliases (contact_id);

-- An address is one person's, whether it is their own or an alias. An alias was somebody's own until the transaction
-- that makes it, so whoever takes the address waits for that one at the unique index of contacts; then it is seen here.
-- +goose StatementBegin
CREATE FUNCTION refuse_alias() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM contact_aliases a
            WHERE a.organization_id = NEW.organization_id AND a.email_key = NEW.email_key) THEN
        RAISE unique_violation USING MESSAGE = 'the address is an alias';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION refuse_own_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM contacts c
            WHERE c.organization_id = NEW.organization_id AND c.email_key = NEW.email_key) THEN
        RAISE unique_violation USING MESSAGE = 'the address is a contact''s own';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER contacts_alias_insert AFTER INSERT ON contacts
    FOR EACH ROW WHEN (NEW.email_key <> '') EXECUTE FUNCTION refuse_alias();
CREATE TRIGGER contacts_alias_update AFTER UPDATE OF email_key ON contacts
    FOR EACH ROW WHEN (NEW.email_key <> '' AND NEW.email_key <> OLD.email_key) EXECUTE FUNCTION refuse_alias();
CREATE TRIGGER contact_aliases_insert AFTER INSERT ON contact_aliases
    FOR EACH ROW EXECUTE FUNCTION refuse_own_address();

-- Two who look alike and are not the same. Each pair stands once.
CREATE TABLE dismissed_pairs (
    organization_id text COLLATE "C" NOT NULL,
    first_id        text COLLATE "C" NOT NULL,
    second_id       text COLLATE "C" NOT NULL,
    by_name         text NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    PRIMARY KEY (first_id, second_id),
    CHECK (first_id < second_id),
    FOREIGN KEY (organization_id, first_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, second_id) REFERENCES contacts (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX dismissed_pairs_second ON dismissed_pairs (second_id);
CREATE INDEX dismissed_pairs_organization ON dismissed_pairs (organization_id, created_at);

-- When what was kept of somebody was erased.
ALTER TABLE contacts ADD COLUMN erased_at timestamptz(3);

-- +goose Down
ALTER TABLE contacts DROP COLUMN erased_at;
DROP TABLE dismissed_pairs;
DROP TRIGGER contacts_alias_insert ON contacts;
DROP TRIGGER contacts_alias_update ON contacts;
DROP TABLE contact_aliases;
DROP FUNCTION refuse_alias;
DROP FUNCTION refuse_own_address;
