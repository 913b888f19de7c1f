-- +goose Up
-- The next secret of an endpoint, between its making and its use.
ALTER TABLE webhook_endpoints ADD COLUMN sealed_pending text;

-- The log outlives the endpoints it tells of, so their ids are no references.
-- SQLite takes a reference away only with its table.
CREATE TABLE webhook_deliveries_new (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    emission_id     text NOT NULL,
    event_type      text NOT NULL,
    resource_id     text NOT NULL,
    driver          text NOT NULL CHECK (driver IN ('builtin', 'managed')),
    webhook_id      text,
    url             text NOT NULL,
    attempt         integer NOT NULL CHECK (attempt IN (1, 2)),
    request_body    text NOT NULL,
    outcome         text NOT NULL CHECK (outcome IN ('sending', 'success', 'failure')),
    error_class     text NOT NULL CHECK (error_class IN
        ('', 'dns', 'connect', 'tls', 'timeout', 'blocked', 'status', 'interrupted', 'internal')),
    response_status integer,
    response_excerpt text NOT NULL,
    duration_ms     integer,
    created_at      text NOT NULL,
    CHECK ((driver = 'managed') = (webhook_id IS NULL))
);
INSERT INTO webhook_deliveries_new SELECT * FROM webhook_deliveries;
DROP TABLE webhook_deliveries;
ALTER TABLE webhook_deliveries_new RENAME TO webhook_deliveries;
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (emission_id, coalesce(webhook_id, ''), attempt);
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (id) WHERE outcome = 'sending';
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (organization_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
-- One row a round: its first attempt.
CREATE INDEX webhook_deliveries_rounds ON webhook_deliveries (organization_id, event_id, created_at DESC, id DESC) WHERE attempt = 1;

-- +goose Down
CREATE TABLE webhook_deliveries_new (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    emission_id     text NOT NULL,
    event_type      text NOT NULL,
    resource_id     text NOT NULL,
    driver          text NOT NULL CHECK (driver IN ('builtin', 'managed')),
    webhook_id      text REFERENCES webhook_endpoints ON DELETE CASCADE,
    url             text NOT NULL,
    attempt         integer NOT NULL CHECK (attempt IN (1, 2)),
    request_body    text NOT NULL,
    outcome         text NOT NULL CHECK (outcome IN ('sending', 'success', 'failure')),
    error_class     text NOT NULL CHECK (error_class IN
        ('', 'dns', 'connect', 'tls', 'timeout', 'blocked', 'status', 'interrupted', 'internal')),
    response_status integer,
    response_excerpt text NOT NULL,
    duration_ms     integer,
    created_at      text NOT NULL,
    CHECK ((driver = 'managed') = (webhook_id IS NULL))
);
INSERT INTO webhook_deliveries_new SELECT * FROM webhook_deliveries
    WHERE webhook_id IS NULL OR webhook_id IN (SELECT id FROM webhook_endpoints);
DROP TABLE webhook_deliveries;
ALTER TABLE webhook_deliveries_new RENAME TO webhook_deliveries;
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (emission_id, coalesce(webhook_id, ''), attempt);
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (id) WHERE outcome = 'sending';
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (organization_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
ALTER TABLE webhook_endpoints DROP COLUMN sealed_pending;
