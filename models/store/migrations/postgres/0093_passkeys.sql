-- +goose Up
-- A passkey of a member of staff. The credential id and the public key (COSE) are base64url, as browsers write them.
CREATE TABLE passkeys (
    id            text COLLATE "C" PRIMARY KEY,
    user_id       text COLLATE "C" NOT NULL REFERENCES users,
    credential_id text COLLATE "C" NOT NULL UNIQUE,
    public_key    text NOT NULL,
    made_for      text NOT NULL,
    sign_count    bigint NOT NULL,
    is_synced     boolean NOT NULL,
    transports    text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz(3) NOT NULL,
    last_used_at  timestamptz(3)
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- The same of somebody who speaks, whose address is proven.
CREATE TABLE speaker_passkeys (
    id            text COLLATE "C" PRIMARY KEY,
    account_id    text COLLATE "C" NOT NULL REFERENCES speaker_accounts ON DELETE CASCADE,
    credential_id text COLLATE "C" NOT NULL UNIQUE,
    public_key    text NOT NULL,
    made_for      text NOT NULL,
    sign_count    bigint NOT NULL,
    is_synced     boolean NOT NULL,
    transports    text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz(3) NOT NULL,
    last_used_at  timestamptz(3)
);
CREATE INDEX speaker_passkeys_account ON speaker_passkeys (account_id);

-- How many passkeys somebody has: with one, a password alone does not sign them in.
ALTER TABLE users ADD COLUMN passkeys integer NOT NULL DEFAULT 0;

-- Challenges of passkeys that were answered, until they would be too old: each is good once. The id is their SHA-256.
CREATE TABLE answered_challenges (
    id         text COLLATE "C" PRIMARY KEY,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX answered_challenges_age ON answered_challenges (expires_at);

-- +goose Down
DROP TABLE answered_challenges;
ALTER TABLE users DROP COLUMN passkeys;
DROP TABLE speaker_passkeys;
DROP TABLE passkeys;
