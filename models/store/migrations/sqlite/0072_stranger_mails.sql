-- +goose Up
-- How many mails to addresses that nobody has proven leave in an hour, of an organization.
CREATE TABLE stranger_mails (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    hour text NOT NULL,
    mails integer NOT NULL,
    PRIMARY KEY (organization_id, hour)
);

-- +goose Down
DROP TABLE stranger_mails;
