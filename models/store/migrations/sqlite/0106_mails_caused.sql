-- +goose Up
-- Mails to addresses that nobody has proven are counted by who causes them, so that nobody waits for what others cause.
ALTER TABLE stranger_mails RENAME TO stranger_mails_before;

CREATE TABLE stranger_mails (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    caused_by text NOT NULL CHECK (caused_by IN ('strangers', 'speakers', 'staff')),
    hour text NOT NULL,
    mails integer NOT NULL,
    PRIMARY KEY (organization_id, caused_by, hour)
);

INSERT INTO stranger_mails (organization_id, caused_by, hour, mails)
SELECT organization_id, 'strangers', hour, mails FROM stranger_mails_before;

DROP TABLE stranger_mails_before;

-- +goose Down
ALTER TABLE stranger_mails RENAME TO stranger_mails_after;

CREATE TABLE stranger_mails (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    hour text NOT NULL,
    mails integer NOT NULL,
    PRIMARY KEY (organization_id, hour)
);

INSERT INTO stranger_mails (organization_id, hour, mails)
SELECT organization_id, hour, sum(mails) FROM stranger_mails_after GROUP BY organization_id, hour;

DROP TABLE stranger_mails_after;
