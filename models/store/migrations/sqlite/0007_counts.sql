-- +goose Up
-- What a dashboard counts is read from indexes alone. A session that nobody is
-- on says so itself. SQLite looks into the row for deleted_at unless the index
-- has it.
ALTER TABLE sessions ADD COLUMN is_alone integer NOT NULL DEFAULT 0;
UPDATE sessions SET is_alone = 1 WHERE NOT EXISTS (SELECT 1 FROM participants p WHERE p.session_id = sessions.id);
CREATE INDEX sessions_alone ON sessions (event_id, is_abstract) WHERE deleted_at IS NULL AND is_alone;
DROP INDEX sessions_count;
CREATE INDEX sessions_count ON sessions (event_id, is_abstract, status, track_id, composed_into, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX sessions_start;
CREATE INDEX sessions_start ON sessions (event_id, is_abstract, starts_at, id, room_id, ends_at, is_public, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX sessions_created ON sessions (event_id, is_abstract, created_at, deleted_at) WHERE deleted_at IS NULL;
-- Speakers are the dearest to count, and few changes are about them.
ALTER TABLE events ADD COLUMN speakers_version integer NOT NULL DEFAULT 0;
CREATE INDEX letters_sent ON letters (event_id, decision, session_id) WHERE state = 'sent';

-- What became of a round, kept on its first attempt.
ALTER TABLE webhook_deliveries ADD COLUMN round_result text NOT NULL DEFAULT '' CHECK (round_result IN
    ('', 'under_way', 'delivered', 'rejected', 'failed', 'blocked', 'handoff_accepted', 'handoff_failed'));
UPDATE webhook_deliveries SET round_result = (SELECT CASE
        WHEN z.outcome = 'sending' THEN 'under_way'
        WHEN z.outcome = 'success' THEN CASE z.driver WHEN 'managed' THEN 'handoff_accepted' ELSE 'delivered' END
        WHEN z.driver = 'managed' THEN 'handoff_failed'
        WHEN z.error_class = 'blocked' THEN 'blocked'
        WHEN z.error_class = 'status' AND z.response_status BETWEEN 400 AND 499 THEN 'rejected'
        ELSE 'failed' END
    FROM webhook_deliveries z
    WHERE z.emission_id = webhook_deliveries.emission_id AND coalesce(z.webhook_id, '') = coalesce(webhook_deliveries.webhook_id, '')
    ORDER BY z.attempt DESC LIMIT 1) WHERE attempt = 1;
CREATE INDEX webhook_deliveries_results ON webhook_deliveries (organization_id, round_result, created_at DESC, id DESC) WHERE attempt = 1;

-- +goose Down
DROP INDEX webhook_deliveries_results;
ALTER TABLE webhook_deliveries DROP COLUMN round_result;
DROP INDEX letters_sent;
ALTER TABLE events DROP COLUMN speakers_version;
DROP INDEX sessions_created;
DROP INDEX sessions_start;
CREATE INDEX sessions_start ON sessions (event_id, is_abstract, starts_at, id) WHERE deleted_at IS NULL;
DROP INDEX sessions_count;
CREATE INDEX sessions_count ON sessions (event_id, is_abstract, status) WHERE deleted_at IS NULL;
DROP INDEX sessions_alone;
ALTER TABLE sessions DROP COLUMN is_alone;
