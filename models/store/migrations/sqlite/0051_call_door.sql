-- +goose Up
-- Who speaks changes things by a door of their own. SQLite changes a check only with its table; nothing refers to this.
CREATE TABLE activity_anew (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    subject         text NOT NULL,
    subject_id      text NOT NULL,
    action          text NOT NULL,
    door            text NOT NULL CHECK (door IN ('api', 'admin', 'cli', 'import', 'call')),
    actor_id        text NOT NULL,
    actor_name      text NOT NULL,
    request_id      text NOT NULL,
    before          text NOT NULL,
    after           text NOT NULL,
    created_at      text NOT NULL,
    address         text NOT NULL DEFAULT '',
    part_of         text NOT NULL DEFAULT ''
);
INSERT INTO activity_anew SELECT id, organization_id, event_id, subject, subject_id, action, door, actor_id, actor_name,
    request_id, before, after, created_at, address, part_of FROM activity;
DROP TABLE activity;
ALTER TABLE activity_anew RENAME TO activity;
CREATE INDEX activity_subject ON activity (subject_id, created_at);
CREATE INDEX activity_event ON activity (event_id, created_at, id) WHERE part_of = '';
CREATE INDEX activity_security ON activity (organization_id, created_at DESC, id DESC)
    WHERE subject IN ('access', 'api_key', 'invitation', 'organization', 'user');
CREATE INDEX activity_access ON activity (created_at) WHERE subject = 'access';
CREATE INDEX activity_merged ON activity (organization_id) WHERE subject = 'contact' AND action = 'merged';

-- +goose Down
CREATE TABLE activity_before (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    subject         text NOT NULL,
    subject_id      text NOT NULL,
    action          text NOT NULL,
    door            text NOT NULL CHECK (door IN ('api', 'admin', 'cli', 'import')),
    actor_id        text NOT NULL,
    actor_name      text NOT NULL,
    request_id      text NOT NULL,
    before          text NOT NULL,
    after           text NOT NULL,
    created_at      text NOT NULL,
    address         text NOT NULL DEFAULT '',
    part_of         text NOT NULL DEFAULT ''
);
INSERT INTO activity_before SELECT id, organization_id, event_id, subject, subject_id, action,
    CASE door WHEN 'call' THEN 'admin' ELSE door END, actor_id, actor_name, request_id, before, after, created_at, address,
    part_of FROM activity;
DROP TABLE activity;
ALTER TABLE activity_before RENAME TO activity;
CREATE INDEX activity_subject ON activity (subject_id, created_at);
CREATE INDEX activity_event ON activity (event_id, created_at, id) WHERE part_of = '';
CREATE INDEX activity_security ON activity (organization_id, created_at DESC, id DESC)
    WHERE subject IN ('access', 'api_key', 'invitation', 'organization', 'user');
CREATE INDEX activity_access ON activity (created_at) WHERE subject = 'access';
CREATE INDEX activity_merged ON activity (organization_id) WHERE subject = 'contact' AND action = 'merged';
