-- +goose Up
-- A role holds at every event, or only where event_roles says one. Who is
-- removed is disabled: the activity still names them.
ALTER TABLE users ADD COLUMN everywhere integer NOT NULL DEFAULT 1 CHECK (everywhere = 1 OR role <> 'owner');
ALTER TABLE users ADD COLUMN disabled_at text;
ALTER TABLE users ADD COLUMN totp_secret text NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN totp_confirmed_at text;
ALTER TABLE users ADD COLUMN totp_step integer NOT NULL DEFAULT 0;
CREATE INDEX users_organization ON users (organization_id);

CREATE TABLE event_roles (
    event_id text NOT NULL REFERENCES events,
    user_id  text NOT NULL REFERENCES users,
    role     text NOT NULL CHECK (role IN ('organizer', 'reviewer', 'viewer')),
    PRIMARY KEY (user_id, event_id)
);

CREATE TABLE recovery_codes (
    user_id text NOT NULL REFERENCES users,
    hash    text NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- A browser's sign-in. The id is the SHA-256 of its token.
CREATE TABLE logins (
    id           text PRIMARY KEY,
    user_id      text NOT NULL REFERENCES users,
    pending      integer NOT NULL,
    address      text NOT NULL,
    agent        text NOT NULL,
    created_at   text NOT NULL,
    last_seen_at text NOT NULL,
    expires_at   text NOT NULL
);
CREATE INDEX logins_user ON logins (user_id);
CREATE INDEX logins_age ON logins (expires_at);

-- The key is a hash: people type passwords where the address belongs.
CREATE TABLE sign_in_failures (
    key            text PRIMARY KEY,
    failures       integer NOT NULL,
    last_failed_at text NOT NULL
);
CREATE INDEX sign_in_failures_age ON sign_in_failures (last_failed_at);

-- One-time links. Those of an invitation say who comes, those of a reset who it is.
CREATE TABLE staff_links (
    id              text PRIMARY KEY,
    hash            text NOT NULL UNIQUE,
    kind            text NOT NULL CHECK (kind IN ('invitation', 'reset')),
    organization_id text NOT NULL REFERENCES organizations,
    user_id         text REFERENCES users,
    email           text NOT NULL,
    email_key       text NOT NULL,
    role            text NOT NULL CHECK (role IN ('', 'owner', 'organizer', 'reviewer', 'viewer')),
    everywhere      integer NOT NULL,
    event_roles     text NOT NULL,
    created_by      text REFERENCES users,
    created_at      text NOT NULL,
    expires_at      text NOT NULL,
    used_at         text,
    CHECK ((kind = 'reset') = (user_id IS NOT NULL)),
    CHECK ((kind = 'invitation') = (role <> ''))
);
CREATE INDEX staff_links_organization ON staff_links (organization_id, kind);
CREATE INDEX staff_links_user ON staff_links (user_id) WHERE user_id IS NOT NULL;

-- +goose Down
DROP TABLE staff_links;
DROP TABLE sign_in_failures;
DROP TABLE logins;
DROP TABLE recovery_codes;
DROP TABLE event_roles;
DROP INDEX users_organization;
ALTER TABLE users DROP COLUMN everywhere;
ALTER TABLE users DROP COLUMN disabled_at;
ALTER TABLE users DROP COLUMN totp_secret;
ALTER TABLE users DROP COLUMN totp_confirmed_at;
ALTER TABLE users DROP COLUMN totp_step;
