-- +goose Up
-- How many mails to addresses that nobody has proven leave in an hour, of an organization.
CREATE TABLE stranger_mails (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    hour timestamptz(3) NOT NULL,
    mails integer NOT NULL,
    PRIMARY KEY (organization_id, hour)
);

-- +goose Down
DROP TABLE stranger_mails;
