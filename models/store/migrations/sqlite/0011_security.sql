-- +goose Up
ALTER TABLE organizations ADD COLUMN second_factor_required integer NOT NULL DEFAULT 0;

-- Where who acted was; only of what guards the service.
ALTER TABLE activity ADD COLUMN address text NOT NULL DEFAULT '';
CREATE INDEX activity_security ON activity (organization_id, created_at DESC, id DESC)
    WHERE subject IN ('access', 'api_key', 'invitation', 'organization', 'user');
CREATE INDEX activity_access ON activity (created_at) WHERE subject = 'access';

-- +goose Down
DROP INDEX activity_access;
DROP INDEX activity_security;
ALTER TABLE activity DROP COLUMN address;
ALTER TABLE organizations DROP COLUMN second_factor_required;
