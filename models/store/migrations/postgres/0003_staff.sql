-- +goose Up
-- A role holds at every event, or only where event_roles says one. Who is
-- removed is disabled: the activity still names them.
ALTER TABLE users
    ADD COLUMN everywhere        boolean NOT NULL DEFAULT true CHECK (everywhere OR role <> 'owner'),
    ADD COLUMN disabled_at       timestamptz(3),
    ADD COLUMN totp_secret       text NOT NULL DEFAULT '',
    ADD COLUMN totp_confirmed_at timestamptz(3),
    ADD COLUMN totp_step         bigint NOT NULL DEFAULT 0;
CREATE INDEX users_organization ON users (organization_id);

CREATE TABLE event_roles (
    event_id text COLLATE "C" NOT NULL REFERENCES events,
    user_id  text COLLATE "C" NOT NULL REFERENCES users,
    role     text COLLATE "C" NOT NULL CHECK (role IN ('organizer', 'reviewer', 'viewer')),
    PRIMARY KEY (user_id, event_id)
);

CREATE TABLE recovery_codes (
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    hash    text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- A browser's sign-in. The id is the SHA-256 of its token.
CREATE TABLE logins (
    id           text COLLATE "C" PRIMARY KEY,
    user_id      text COLLATE "C" NOT NULL REFERENCES users,
    pending      boolean NOT NULL,
    address      text NOT NULL,
    agent        text NOT NULL,
    created_at   timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    expires_at   timestamptz(3) NOT NULL
);
CREATE INDEX logins_user ON logins (user_id);
CREATE INDEX logins_age ON logins (expires_at);

-- The key is a hash: people type passwords where the address belongs.
CREATE TABLE sign_in_failures (
    key            text COLLATE "C" PRIMARY KEY,
    failures       integer NOT NULL,
    last_failed_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_failures_age ON sign_in_failures (last_failed_at);

-- One-time links. Those of an invitation say who comes, those of a reset who it is.
CREATE TABLE staff_links (
    id              text COLLATE "C" PRIMARY KEY,
    hash            text COLLATE "C" NOT NULL UNIQUE,
    kind            text COLLATE "C" NOT NULL CHECK (kind IN ('invitation', 'reset')),
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    user_id         text COLLATE "C" REFERENCES users,
    email           text NOT NULL,
    email_key       text COLLATE "C" NOT NULL,
    role            text COLLATE "C" NOT NULL CHECK (role IN ('', 'owner', 'organizer', 'reviewer', 'viewer')),
    everywhere      boolean NOT NULL,
    event_roles     text NOT NULL,
    created_by      text COLLATE "C" REFERENCES users,
    created_at      timestamptz(3) NOT NULL,
    expires_at      timestamptz(3) NOT NULL,
    used_at         timestamptz(3),
    CHECK ((kind = 'reset') = (user_id IS NOT NULL)),
    CHECK ((kind = 'invitation') = (role <> ''))
);
CREATE INDEX staff_links_organization ON staff_links (organization_id, kind);
CREATE INDEX staff_links_user ON staff_links (user_id) WHERE user_id IS NOT NULL;

-- +goose Down
DROP TABLE staff_links, sign_in_failures, logins, recovery_codes, event_roles;
DROP INDEX users_organization;
ALTER TABLE users
    DROP COLUMN everywhere, DROP COLUMN disabled_at,
    DROP COLUMN totp_secret, DROP COLUMN totp_confirmed_at, DROP COLUMN totp_step;
