-- +goose Up
ALTER TABLE emissions ADD COLUMN fanned_at timestamptz(3);
CREATE INDEX emissions_waiting ON emissions (seq) WHERE fanned_at IS NULL;
CREATE INDEX emissions_age ON emissions (occurred_at);

-- Rounds that have not begun. An endpoint of NULL is the managed service.
CREATE TABLE deliveries_due (
    seq          bigserial PRIMARY KEY,
    emission_seq bigint NOT NULL REFERENCES emissions,
    webhook_id   text COLLATE "C" REFERENCES webhook_endpoints ON DELETE CASCADE
);
CREATE INDEX deliveries_due_webhook ON deliveries_due (webhook_id, emission_seq);
CREATE INDEX deliveries_due_emission ON deliveries_due (emission_seq);

-- The delivery log: a row for each attempt, written as it begins. An emission
-- may be older than the log keeps, so its id is no reference.
CREATE TABLE webhook_deliveries (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    event_id        text COLLATE "C" REFERENCES events,
    emission_id     text COLLATE "C" NOT NULL,
    event_type      text COLLATE "C" NOT NULL,
    resource_id     text COLLATE "C" NOT NULL,
    driver          text COLLATE "C" NOT NULL CHECK (driver IN ('builtin', 'managed')),
    webhook_id      text COLLATE "C" REFERENCES webhook_endpoints ON DELETE CASCADE,
    url             text NOT NULL,
    attempt         integer NOT NULL CHECK (attempt IN (1, 2)),
    request_body    text NOT NULL,
    outcome         text COLLATE "C" NOT NULL CHECK (outcome IN ('sending', 'success', 'failure')),
    error_class     text COLLATE "C" NOT NULL CHECK (error_class IN
        ('', 'dns', 'connect', 'tls', 'timeout', 'blocked', 'status', 'interrupted', 'internal')),
    response_status integer,
    response_excerpt text NOT NULL,
    duration_ms     integer,
    created_at      timestamptz(3) NOT NULL,
    CHECK ((driver = 'managed') = (webhook_id IS NULL))
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (emission_id, coalesce(webhook_id, ''), attempt);
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (id) WHERE outcome = 'sending';
CREATE INDEX webhook_deliveries_recent ON webhook_deliveries (organization_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- +goose Down
DROP TABLE webhook_deliveries, deliveries_due;
DROP INDEX emissions_age, emissions_waiting;
ALTER TABLE emissions DROP COLUMN fanned_at;
