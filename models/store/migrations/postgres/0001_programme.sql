-- +goose Up
-- Text that is compared, sorted or used as a key is COLLATE "C", so that rows
-- come in the same order here and on SQLite.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organizations (
    id         text COLLATE "C" PRIMARY KEY,
    name       text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
);

CREATE TABLE events (
    id               text COLLATE "C" PRIMARY KEY,
    organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
    name             text NOT NULL,
    slug             text COLLATE "C" NOT NULL UNIQUE,
    timezone         text NOT NULL,
    last_abstract    integer NOT NULL DEFAULT 0,
    last_session     integer NOT NULL DEFAULT 0,
    metadata_version bigint NOT NULL DEFAULT 0,
    sessions_version bigint NOT NULL DEFAULT 0,
    created_at       timestamptz(3) NOT NULL,
    updated_at       timestamptz(3) NOT NULL,
    UNIQUE (organization_id, id)
);

CREATE TABLE users (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    email           text NOT NULL,
    email_key       text COLLATE "C" NOT NULL UNIQUE,
    name            text NOT NULL,
    role            text NOT NULL CHECK (role IN ('owner', 'organizer', 'reviewer', 'viewer')),
    password_hash   text NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL
);

CREATE TABLE metadata (
    id              text COLLATE "C" PRIMARY KEY,
    event_id        text COLLATE "C" NOT NULL REFERENCES events,
    family          text COLLATE "C" NOT NULL CHECK (family IN ('tracks', 'rooms', 'tags', 'formats', 'levels')),
    name            text NOT NULL,
    name_key        text COLLATE "C" NOT NULL,
    position        integer NOT NULL,
    color           text CHECK (color IS NULL OR family = 'tracks'),
    capacity        integer CHECK (capacity IS NULL OR (family = 'rooms' AND capacity >= 0)),
    default_minutes integer CHECK (default_minutes IS NULL OR (family = 'formats' AND default_minutes > 0)),
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    CHECK (family <> 'tracks' OR color IS NOT NULL),
    UNIQUE (event_id, id),
    CHECK (position >= 0)
);

CREATE TABLE sessions (
    id            text COLLATE "C" PRIMARY KEY,
    event_id      text COLLATE "C" NOT NULL REFERENCES events,
    number        integer NOT NULL,
    friendly_id   text COLLATE "C" NOT NULL,
    is_abstract   boolean NOT NULL,
    title         text NOT NULL CHECK (title <> ''),
    title_key     text COLLATE "C" NOT NULL,
    description   text NOT NULL,
    status        text COLLATE "C" NOT NULL CHECK (status IN
        ('draft', 'pending', 'accept_queue', 'accepted', 'decline_queue', 'declined', 'withdrawn')),
    starts_at     timestamptz(3),
    ends_at       timestamptz(3),
    capacity      integer CHECK (capacity >= 0),
    is_public     boolean NOT NULL DEFAULT false,
    track_id      text COLLATE "C",
    room_id       text COLLATE "C",
    format_id     text COLLATE "C",
    level_id      text COLLATE "C",
    composed_into text COLLATE "C",
    is_linked     boolean NOT NULL DEFAULT false,
    custom_fields jsonb NOT NULL DEFAULT '[]',
    search        text COLLATE "C" NOT NULL,
    created_at    timestamptz(3) NOT NULL,
    updated_at    timestamptz(3) NOT NULL,
    deleted_at    timestamptz(3),
    UNIQUE (event_id, id),
    UNIQUE (event_id, is_abstract, number),
    CHECK (ends_at IS NULL OR ends_at >= starts_at),
    CHECK (ends_at IS NULL OR starts_at IS NOT NULL),
    CHECK (composed_into IS NULL OR is_abstract),
    CHECK (NOT is_linked OR composed_into IS NOT NULL),
    FOREIGN KEY (event_id, track_id) REFERENCES metadata (event_id, id),
    FOREIGN KEY (event_id, room_id) REFERENCES metadata (event_id, id),
    FOREIGN KEY (event_id, format_id) REFERENCES metadata (event_id, id),
    FOREIGN KEY (event_id, level_id) REFERENCES metadata (event_id, id),
    FOREIGN KEY (event_id, composed_into) REFERENCES sessions (event_id, id)
);
CREATE INDEX sessions_recent ON sessions (event_id, is_abstract, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX sessions_recent_both ON sessions (event_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX sessions_status ON sessions (event_id, is_abstract, status, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX sessions_count ON sessions (event_id, is_abstract, status) WHERE deleted_at IS NULL;
CREATE INDEX sessions_start ON sessions (event_id, is_abstract, starts_at, id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_track ON sessions (event_id, track_id) WHERE track_id IS NOT NULL;
CREATE INDEX sessions_room ON sessions (event_id, room_id) WHERE room_id IS NOT NULL;
CREATE INDEX sessions_format ON sessions (event_id, format_id) WHERE format_id IS NOT NULL;
CREATE INDEX sessions_level ON sessions (event_id, level_id) WHERE level_id IS NOT NULL;
CREATE INDEX sessions_sources ON sessions (composed_into) WHERE composed_into IS NOT NULL;
CREATE INDEX sessions_search ON sessions USING gin (event_id, search gin_trgm_ops);

CREATE TABLE session_tags (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    tag_id     text COLLATE "C" NOT NULL,
    PRIMARY KEY (session_id, tag_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, tag_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX session_tags_tag ON session_tags (event_id, tag_id);

CREATE TABLE contacts (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    email           text NOT NULL,
    email_key       text COLLATE "C" NOT NULL,
    first_name      text NOT NULL,
    last_name       text NOT NULL,
    full_name       text NOT NULL,
    name_key        text COLLATE "C" NOT NULL,
    company_name    text NOT NULL,
    job_title       text NOT NULL,
    phone           text NOT NULL,
    website_url     text NOT NULL,
    linkedin_url    text NOT NULL,
    about           text NOT NULL,
    photo_url       text,
    search          text COLLATE "C" NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX contacts_email ON contacts (organization_id, email_key) WHERE email_key <> '';

-- What of a contact belongs to one event only.
CREATE TABLE event_contacts (
    event_id        text COLLATE "C" NOT NULL,
    organization_id text COLLATE "C" NOT NULL,
    contact_id      text COLLATE "C" NOT NULL,
    workflow_status text NOT NULL,
    travel_notes    text NOT NULL,
    logistics_notes text NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, contact_id),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);

CREATE TABLE contact_tags (
    event_id   text COLLATE "C" NOT NULL,
    contact_id text COLLATE "C" NOT NULL,
    tag_id     text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, contact_id, tag_id),
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, tag_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX contact_tags_tag ON contact_tags (event_id, tag_id);

CREATE TABLE participants (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    contact_id text COLLATE "C" NOT NULL,
    role       text COLLATE "C" NOT NULL CHECK (role IN ('speaker', 'moderator', 'chairperson')),
    position   integer NOT NULL,
    PRIMARY KEY (session_id, contact_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX participants_contact ON participants (event_id, contact_id, session_id);

-- One letter for each decision an abstract was given; the publish gate reads it.
CREATE TABLE letters (
    event_id   text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    decision   text COLLATE "C" NOT NULL CHECK (decision IN ('accepted', 'declined')),
    state      text COLLATE "C" NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'failed')),
    sent_at    timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (session_id, decision),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    CHECK (state <> 'sent' OR sent_at IS NOT NULL)
);

CREATE TABLE api_keys (
    id           text COLLATE "C" PRIMARY KEY,
    event_id     text COLLATE "C" NOT NULL REFERENCES events,
    name         text NOT NULL,
    hash         text COLLATE "C" NOT NULL UNIQUE,
    hint         text NOT NULL,
    scopes       text NOT NULL,
    created_by   text NOT NULL,
    expires_at   timestamptz(3),
    revoked_at   timestamptz(3),
    last_used_at timestamptz(3),
    created_at   timestamptz(3) NOT NULL
);
CREATE INDEX api_keys_event ON api_keys (event_id);

CREATE TABLE webhook_endpoints (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    url             text NOT NULL,
    sealed_secret   text NOT NULL,
    is_active       boolean NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id);

-- Outbound facts, written with the change they tell of.
CREATE TABLE emissions (
    seq             bigserial PRIMARY KEY,
    id              text COLLATE "C" NOT NULL UNIQUE,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    event_id        text COLLATE "C" REFERENCES events,
    type            text COLLATE "C" NOT NULL CHECK (type IN
        ('session.created', 'session.updated', 'session.deleted', 'session.published',
         'contact.created', 'contact.updated', 'contact.merged', 'decision.committed')),
    resource_id     text COLLATE "C" NOT NULL,
    data            text NOT NULL,
    occurred_at     timestamptz(3) NOT NULL
);

CREATE TABLE activity (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    event_id        text COLLATE "C" REFERENCES events,
    subject         text COLLATE "C" NOT NULL,
    subject_id      text COLLATE "C" NOT NULL,
    action          text NOT NULL,
    door            text NOT NULL CHECK (door IN ('api', 'admin', 'cli', 'import')),
    actor_id        text COLLATE "C" NOT NULL,
    actor_name      text NOT NULL,
    request_id      text NOT NULL,
    before          jsonb NOT NULL,
    after           jsonb NOT NULL,
    created_at      timestamptz(3) NOT NULL
);
CREATE INDEX activity_subject ON activity (subject_id, created_at);
CREATE INDEX activity_event ON activity (event_id, created_at);

-- Which record an imported item became, so that a second import finds it again.
CREATE TABLE imported (
    event_id  text COLLATE "C" NOT NULL REFERENCES events,
    kind      text COLLATE "C" NOT NULL CHECK (kind IN ('session', 'abstract', 'contact')),
    key       text COLLATE "C" NOT NULL,
    record_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, kind, key)
);

-- Answers kept for Idempotency-Key.
CREATE TABLE idempotency (
    api_key_id text COLLATE "C" NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    key        text COLLATE "C" NOT NULL,
    request    text COLLATE "C" NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- +goose Down
DROP TABLE idempotency, imported, activity, emissions, webhook_endpoints, api_keys, letters, participants,
    contact_tags, event_contacts, contacts, session_tags, sessions, metadata, users, events, organizations;
