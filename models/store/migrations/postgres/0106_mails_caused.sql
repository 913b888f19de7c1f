-- +goose Up
-- Mails to addresses that nobody has proven are counted by who causes them, so that nobody waits for what others cause.
ALTER TABLE stranger_mails ADD COLUMN caused_by text COLLATE "C" NOT NULL DEFAULT 'strangers'
    CHECK (caused_by IN ('strangers', 'speakers', 'staff'));
ALTER TABLE stranger_mails ALTER COLUMN caused_by DROP DEFAULT;
ALTER TABLE stranger_mails DROP CONSTRAINT stranger_mails_pkey;
ALTER TABLE stranger_mails ADD PRIMARY KEY (organization_id, caused_by, hour);

-- +goose Down
UPDATE stranger_mails m SET mails = (SELECT sum(o.mails) FROM stranger_mails o
    WHERE o.organization_id = m.organization_id AND o.hour = m.hour);
DELETE FROM stranger_mails m USING stranger_mails o
    WHERE o.organization_id = m.organization_id AND o.hour = m.hour AND o.caused_by < m.caused_by;
ALTER TABLE stranger_mails DROP CONSTRAINT stranger_mails_pkey;
ALTER TABLE stranger_mails ADD PRIMARY KEY (organization_id, hour);
ALTER TABLE stranger_mails DROP COLUMN caused_by;
