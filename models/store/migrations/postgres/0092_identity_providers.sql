-- +goose Up
-- Who says who somebody is, beside passwords. The secret is sealed; domains and grants are JSON.
CREATE TABLE identity_providers (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    name            text NOT NULL,
    issuer          text COLLATE "C" NOT NULL,
    client_id       text NOT NULL,
    sealed_secret   text NOT NULL,
    domains         text NOT NULL,
    groups_claim    text NOT NULL,
    grants          text NOT NULL,
    is_enabled      boolean NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL
);
CREATE INDEX identity_providers_organization ON identity_providers (organization_id);

-- Whom a provider means by a subject, also once they were removed: nobody else comes in by it.
CREATE TABLE identities (
    id           text COLLATE "C" PRIMARY KEY,
    provider_id  text COLLATE "C" NOT NULL REFERENCES identity_providers,
    subject      text COLLATE "C" NOT NULL,
    user_id      text COLLATE "C" NOT NULL REFERENCES users,
    email        text NOT NULL,
    created_at   timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    UNIQUE (provider_id, subject)
);
CREATE INDEX identities_user ON identities (user_id);

-- A browser on its way to a provider and back. The id is the SHA-256 of its token. One that begins as its
-- provider is deleted goes with it.
CREATE TABLE provider_visits (
    id            text COLLATE "C" PRIMARY KEY,
    provider_id   text COLLATE "C" NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
    user_id       text COLLATE "C" REFERENCES users,
    invitation_id text COLLATE "C" NOT NULL,
    next          text NOT NULL,
    expires_at    timestamptz(3) NOT NULL
);
CREATE INDEX provider_visits_age ON provider_visits (expires_at);
CREATE INDEX provider_visits_provider ON provider_visits (provider_id);
CREATE INDEX provider_visits_user ON provider_visits (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE organizations ADD COLUMN passwords_off boolean NOT NULL DEFAULT false;
-- The provider by whose groups a member came, which says their role.
ALTER TABLE users ADD COLUMN provider_id text COLLATE "C" REFERENCES identity_providers;
CREATE INDEX users_provider ON users (provider_id) WHERE provider_id IS NOT NULL;
ALTER TABLE logins ADD COLUMN identity_id text COLLATE "C" REFERENCES identities;
CREATE INDEX logins_identity ON logins (identity_id) WHERE identity_id IS NOT NULL;

-- +goose Down
ALTER TABLE logins DROP COLUMN identity_id;
ALTER TABLE users DROP COLUMN provider_id;
ALTER TABLE organizations DROP COLUMN passwords_off;
DROP TABLE provider_visits, identities, identity_providers;
