-- +goose Up
-- Who says who somebody is, beside passwords. The secret is sealed; domains and grants are JSON.
CREATE TABLE identity_providers (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    name            text NOT NULL,
    issuer          text NOT NULL,
    client_id       text NOT NULL,
    sealed_secret   text NOT NULL,
    domains         text NOT NULL,
    groups_claim    text NOT NULL,
    grants          text NOT NULL,
    is_enabled      integer NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL
);
CREATE INDEX identity_providers_organization ON identity_providers (organization_id);

-- Whom a provider means by a subject, also once they were removed: nobody else comes in by it.
CREATE TABLE identities (
    id           text PRIMARY KEY,
    provider_id  text NOT NULL REFERENCES identity_providers,
    subject      text NOT NULL,
    user_id      text NOT NULL REFERENCES users,
    email        text NOT NULL,
    created_at   text NOT NULL,
    last_used_at text,
    UNIQUE (provider_id, subject)
);
CREATE INDEX identities_user ON identities (user_id);

-- A browser on its way to a provider and back. The id is the SHA-256 of its token. One that begins as its
-- provider is deleted goes with it.
CREATE TABLE provider_visits (
    id            text PRIMARY KEY,
    provider_id   text NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
    user_id       text REFERENCES users,
    invitation_id text NOT NULL,
    next          text NOT NULL,
    expires_at    text NOT NULL
);
CREATE INDEX provider_visits_age ON provider_visits (expires_at);
CREATE INDEX provider_visits_provider ON provider_visits (provider_id);
CREATE INDEX provider_visits_user ON provider_visits (user_id) WHERE user_id IS NOT NULL;

ALTER TABLE organizations ADD COLUMN passwords_off integer NOT NULL DEFAULT 0;
-- The provider by whose groups a member came, which says their role.
ALTER TABLE users ADD COLUMN provider_id text REFERENCES identity_providers;
CREATE INDEX users_provider ON users (provider_id) WHERE provider_id IS NOT NULL;
ALTER TABLE logins ADD COLUMN identity_id text REFERENCES identities;
CREATE INDEX logins_identity ON logins (identity_id) WHERE identity_id IS NOT NULL;

-- +goose Down
DROP INDEX logins_identity;
ALTER TABLE logins DROP COLUMN identity_id;
DROP INDEX users_provider;
ALTER TABLE users DROP COLUMN provider_id;
ALTER TABLE organizations DROP COLUMN passwords_off;
DROP TABLE provider_visits;
DROP TABLE identities;
DROP TABLE identity_providers;
