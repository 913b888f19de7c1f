-- +goose Up
-- Times are text, UTC at millisecond precision: 2026-11-21T09:30:00.000Z, so that
-- they sort as they are.

CREATE TABLE organizations (
    id         text PRIMARY KEY,
    name       text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL
);

CREATE TABLE events (
    id               text PRIMARY KEY,
    organization_id  text NOT NULL REFERENCES organizations,
    name             text NOT NULL,
    slug             text NOT NULL UNIQUE,
    timezone         text NOT NULL,
    last_abstract    integer NOT NULL DEFAULT 0,
    last_session     integer NOT NULL DEFAULT 0,
    metadata_version integer NOT NULL DEFAULT 0,
    sessions_version integer NOT NULL DEFAULT 0,
    created_at       text NOT NULL,
    updated_at       text NOT NULL,
    UNIQUE (organization_id, id)
);

CREATE TABLE users (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    email           text NOT NULL,
    email_key       text NOT NULL UNIQUE,
    name            text NOT NULL,
    role            text NOT NULL CHECK (role IN ('owner', 'organizer', 'reviewer', 'viewer')),
    password_hash   text NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL
);

CREATE TABLE metadata (
    id              text PRIMARY KEY,
    event_id        text NOT NULL REFERENCES events,
    family          text NOT NULL CHECK (family IN ('tracks', 'rooms', 'tags', 'formats', 'levels')),
    name            text NOT NULL,
    name_key        text NOT NULL,
    position        integer NOT NULL,
    color           text CHECK (color IS NULL OR family = 'tracks'),
    capacity        integer CHECK (capacity IS NULL OR (family = 'rooms' AND capacity >= 0)),
    default_minutes integer CHECK (default_minutes IS NULL OR (family = 'formats' AND default_minutes > 0)),
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    CHECK (family <> 'tracks' OR color IS NOT NULL),
    UNIQUE (event_id, id),
    CHECK (position >= 0)
);

CREATE TABLE sessions (
    seq           integer PRIMARY KEY, -- what sessions_search points at; it survives VACUUM
    id            text NOT NULL UNIQUE,
    event_id      text NOT NULL REFERENCES events,
    number        integer NOT NULL,
    friendly_id   text NOT NULL,
    is_abstract   integer NOT NULL,
    title         text NOT NULL CHECK (title <> ''),
    title_key     text NOT NULL,
    description   text NOT NULL,
    status        text NOT NULL CHECK (status IN
        ('draft', 'pending', 'accept_queue', 'accepted', 'decline_queue', 'declined', 'withdrawn')),
    starts_at     text,
    ends_at       text,
    capacity      integer CHECK (capacity >= 0),
    is_public     integer NOT NULL DEFAULT 0,
    track_id      text,
    room_id       text,
    format_id     text,
    level_id      text,
    composed_into text,
    is_linked     integer NOT NULL DEFAULT 0,
    custom_fields text NOT NULL DEFAULT '[]',
    search        text NOT NULL,
    created_at    text NOT NULL,
    updated_at    text NOT NULL,
    deleted_at    text,
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

CREATE VIRTUAL TABLE sessions_search USING fts5 (
    search, content = 'sessions', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);
-- +goose StatementBegin
CREATE TRIGGER sessions_search_insert AFTER INSERT ON sessions BEGIN
    INSERT INTO sessions_search (rowid, search) VALUES (new.seq, new.search);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sessions_search_delete AFTER DELETE ON sessions BEGIN
    INSERT INTO sessions_search (sessions_search, rowid, search) VALUES ('delete', old.seq, old.search);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sessions_search_update AFTER UPDATE OF search ON sessions WHEN old.search <> new.search BEGIN
    INSERT INTO sessions_search (sessions_search, rowid, search) VALUES ('delete', old.seq, old.search);
    INSERT INTO sessions_search (rowid, search) VALUES (new.seq, new.search);
END;
-- +goose StatementEnd

CREATE TABLE session_tags (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    tag_id     text NOT NULL,
    PRIMARY KEY (session_id, tag_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, tag_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX session_tags_tag ON session_tags (event_id, tag_id);

CREATE TABLE contacts (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    email           text NOT NULL,
    email_key       text NOT NULL,
    first_name      text NOT NULL,
    last_name       text NOT NULL,
    full_name       text NOT NULL,
    name_key        text NOT NULL,
    company_name    text NOT NULL,
    job_title       text NOT NULL,
    phone           text NOT NULL,
    website_url     text NOT NULL,
    linkedin_url    text NOT NULL,
    about           text NOT NULL,
    photo_url       text,
    search          text NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX contacts_email ON contacts (organization_id, email_key) WHERE email_key <> '';

-- What of a contact belongs to one event only.
CREATE TABLE event_contacts (
    event_id        text NOT NULL,
    organization_id text NOT NULL,
    contact_id      text NOT NULL,
    workflow_status text NOT NULL,
    travel_notes    text NOT NULL,
    logistics_notes text NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL,
    PRIMARY KEY (event_id, contact_id),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES contacts (organization_id, id)
);

CREATE TABLE contact_tags (
    event_id   text NOT NULL,
    contact_id text NOT NULL,
    tag_id     text NOT NULL,
    PRIMARY KEY (event_id, contact_id, tag_id),
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, tag_id) REFERENCES metadata (event_id, id)
);
CREATE INDEX contact_tags_tag ON contact_tags (event_id, tag_id);

CREATE TABLE participants (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    contact_id text NOT NULL,
    role       text NOT NULL CHECK (role IN ('speaker', 'moderator', 'chairperson')),
    position   integer NOT NULL,
    PRIMARY KEY (session_id, contact_id),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX participants_contact ON participants (event_id, contact_id, session_id);

-- One letter for each decision an abstract was given; the publish gate reads it.
CREATE TABLE letters (
    event_id   text NOT NULL,
    session_id text NOT NULL,
    decision   text NOT NULL CHECK (decision IN ('accepted', 'declined')),
    state      text NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'failed')),
    sent_at    text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (session_id, decision),
    FOREIGN KEY (event_id, session_id) REFERENCES sessions (event_id, id) ON DELETE CASCADE,
    CHECK (state <> 'sent' OR sent_at IS NOT NULL)
);

CREATE TABLE api_keys (
    id           text PRIMARY KEY,
    event_id     text NOT NULL REFERENCES events,
    name         text NOT NULL,
    hash         text NOT NULL UNIQUE,
    hint         text NOT NULL,
    scopes       text NOT NULL,
    created_by   text NOT NULL,
    expires_at   text,
    revoked_at   text,
    last_used_at text,
    created_at   text NOT NULL
);
CREATE INDEX api_keys_event ON api_keys (event_id);

CREATE TABLE webhook_endpoints (
    id              text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations,
    url             text NOT NULL,
    sealed_secret   text NOT NULL,
    is_active       integer NOT NULL,
    created_at      text NOT NULL,
    updated_at      text NOT NULL
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id);

-- Outbound facts, written with the change they tell of.
CREATE TABLE emissions (
    seq             integer PRIMARY KEY AUTOINCREMENT,
    id              text NOT NULL UNIQUE,
    organization_id text NOT NULL REFERENCES organizations,
    event_id        text REFERENCES events,
    type            text NOT NULL CHECK (type IN
        ('session.created', 'session.updated', 'session.deleted', 'session.published',
         'contact.created', 'contact.updated', 'contact.merged', 'decision.committed')),
    resource_id     text NOT NULL,
    data            text NOT NULL,
    occurred_at     text NOT NULL
);

CREATE TABLE activity (
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
    created_at      text NOT NULL
);
CREATE INDEX activity_subject ON activity (subject_id, created_at);
CREATE INDEX activity_event ON activity (event_id, created_at);

-- Which record an imported item became, so that a second import finds it again.
CREATE TABLE imported (
    event_id  text NOT NULL REFERENCES events,
    kind      text NOT NULL CHECK (kind IN ('session', 'abstract', 'contact')),
    key       text NOT NULL,
    record_id text NOT NULL,
    PRIMARY KEY (event_id, kind, key)
);

-- Answers kept for Idempotency-Key.
CREATE TABLE idempotency (
    api_key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    key        text NOT NULL,
    request    text NOT NULL,
    answer     text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (api_key_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- +goose Down
DROP TABLE idempotency;
DROP TABLE imported;
DROP TABLE activity;
DROP TABLE emissions;
DROP TABLE webhook_endpoints;
DROP TABLE api_keys;
DROP TABLE letters;
DROP TABLE participants;
DROP TABLE contact_tags;
DROP TABLE event_contacts;
DROP TABLE contacts;
DROP TABLE session_tags;
DROP TABLE sessions_search;
DROP TABLE sessions;
DROP TABLE metadata;
DROP TABLE users;
DROP TABLE events;
DROP TABLE organizations;
