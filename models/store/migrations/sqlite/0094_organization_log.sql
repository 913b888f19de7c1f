-- +goose Up
-- How many days the organization's log is kept; 0 is for good.
ALTER TABLE organizations ADD COLUMN log_days integer NOT NULL DEFAULT 0;

-- The log tells of settings and erasures too, and sign-ins and exports stay as long as changes do.
DROP INDEX activity_security;
DROP INDEX activity_access;
CREATE INDEX activity_security ON activity (organization_id, created_at DESC, id DESC)
    WHERE subject IN ('access', 'api_key', 'invitation', 'organization', 'user') OR subject = 'event' AND action = 'updated'
        OR subject = 'contact' AND action = 'erased';
CREATE INDEX activity_access ON activity (created_at)
    WHERE subject = 'access' AND action NOT IN ('signed in', 'people exported', 'log exported');

-- +goose Down
DROP INDEX activity_access;
DROP INDEX activity_security;
CREATE INDEX activity_security ON activity (organization_id, created_at DESC, id DESC)
    WHERE subject IN ('access', 'api_key', 'invitation', 'organization', 'user');
CREATE INDEX activity_access ON activity (created_at) WHERE subject = 'access';
ALTER TABLE organizations DROP COLUMN log_days;
