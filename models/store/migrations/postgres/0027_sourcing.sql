-- +goose Up
-- Sourcing: the stages that an organization leads people through, and for each event the cards that stand on them.
-- The stages of an organization are stored with its first card, or as it first changes them.
CREATE TABLE sourcing_stages (
    id              text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    name            text NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('open', 'won', 'lost')),
    position        integer NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    UNIQUE (organization_id, id)
);

-- since is when a card came to its stage. Cards may share a position; then the contact's id decides.
CREATE TABLE sourcing_cards (
    event_id        text COLLATE "C" NOT NULL,
    contact_id      text COLLATE "C" NOT NULL,
    organization_id text COLLATE "C" NOT NULL,
    stage_id        text COLLATE "C" NOT NULL,
    position        integer NOT NULL,
    since           timestamptz(3) NOT NULL,
    created_at      timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, contact_id),
    FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id),
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id),
    FOREIGN KEY (organization_id, stage_id) REFERENCES sourcing_stages (organization_id, id)
);
CREATE INDEX sourcing_cards_stage ON sourcing_cards (stage_id, event_id, position, contact_id);
CREATE INDEX sourcing_cards_contact ON sourcing_cards (contact_id);

-- A stage may be named otherwise or gone by now, so a move has the names of its day. from_stage is '' of a placing.
CREATE TABLE sourcing_moves (
    id         text COLLATE "C" PRIMARY KEY,
    event_id   text COLLATE "C" NOT NULL,
    contact_id text COLLATE "C" NOT NULL,
    from_stage text NOT NULL,
    to_stage   text NOT NULL,
    actor_id   text COLLATE "C" NOT NULL,
    actor_name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    FOREIGN KEY (event_id, contact_id) REFERENCES sourcing_cards (event_id, contact_id) ON DELETE CASCADE
);
CREATE INDEX sourcing_moves_card ON sourcing_moves (contact_id, event_id, created_at);

-- +goose Down
DROP TABLE sourcing_moves;
DROP TABLE sourcing_cards;
DROP TABLE sourcing_stages;
