-- +goose Up
-- What of each event the API shows changed when: one row for each thing, also for what is no more, with the number of
-- its last change. There is one writer, so the numbers are in the order of the commits.
CREATE TABLE change_numbers (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- Another one where the database of a backup took this one's place: cursors of before mean nothing then.
    series text NOT NULL DEFAULT (lower(hex(randomblob(4)))),
    last   integer NOT NULL
);
CREATE TABLE changes (
    event_id text NOT NULL REFERENCES events ON DELETE CASCADE,
    kind     text NOT NULL CHECK (kind IN
        ('event', 'track', 'room', 'tag', 'format', 'level', 'break', 'speaker', 'session')),
    id       text NOT NULL,
    number   integer NOT NULL,
    PRIMARY KEY (event_id, kind, id)
);
CREATE INDEX changes_number ON changes (event_id, number);

-- What is inserted here is noted as changed.
CREATE VIEW changing AS SELECT event_id, kind, id FROM changes;
-- +goose StatementBegin
CREATE TRIGGER changing_noted INSTEAD OF INSERT ON changing BEGIN
    INSERT INTO change_numbers (last) VALUES (1) ON CONFLICT (one) DO UPDATE SET last = last + 1;
    INSERT INTO changes (event_id, kind, id, number) SELECT new.event_id, new.kind, new.id, last FROM change_numbers
        WHERE true ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_made AFTER INSERT ON events BEGIN
    INSERT INTO changing VALUES (new.id, 'event', new.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_changed AFTER UPDATE OF name, slug, timezone ON events
    WHEN (old.name, old.slug, old.timezone) IS NOT (new.name, new.slug, new.timezone) BEGIN
    INSERT INTO changing VALUES (new.id, 'event', new.id);
END;
-- +goose StatementEnd

-- A row of metadata stands in sessions, with what is told of it.
-- +goose StatementBegin
CREATE TRIGGER metadata_made AFTER INSERT ON metadata BEGIN
    INSERT INTO changing VALUES (new.event_id, rtrim(new.family, 's'), new.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER metadata_gone AFTER DELETE ON metadata BEGIN
    INSERT INTO changing VALUES (old.event_id, rtrim(old.family, 's'), old.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER metadata_changed AFTER UPDATE ON metadata
    WHEN (old.name, old.position, old.color, old.capacity, old.default_minutes, old.updated_at)
        IS NOT (new.name, new.position, new.color, new.capacity, new.default_minutes, new.updated_at) BEGIN
    INSERT INTO changing VALUES (new.event_id, rtrim(new.family, 's'), new.id);
    INSERT INTO changing SELECT event_id, 'session', id FROM sessions WHERE event_id = new.event_id AND track_id = new.id;
    INSERT INTO changing SELECT event_id, 'session', id FROM sessions WHERE event_id = new.event_id AND room_id = new.id;
    INSERT INTO changing SELECT event_id, 'session', id FROM sessions WHERE event_id = new.event_id AND format_id = new.id;
    INSERT INTO changing SELECT event_id, 'session', id FROM sessions WHERE event_id = new.event_id AND level_id = new.id;
    INSERT INTO changing SELECT event_id, 'session', session_id FROM session_tags
        WHERE event_id = new.event_id AND tag_id = new.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER breaks_made AFTER INSERT ON agenda_breaks BEGIN
    INSERT INTO changing VALUES (new.event_id, 'break', new.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER breaks_changed AFTER UPDATE ON agenda_breaks BEGIN
    INSERT INTO changing VALUES (new.event_id, 'break', new.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER breaks_gone AFTER DELETE ON agenda_breaks BEGIN
    INSERT INTO changing VALUES (old.event_id, 'break', old.id);
END;
-- +goose StatementEnd

-- Whatever changes a session moves its updated_at, also its tags. What it is composed of, and what that is called,
-- stands in both. Whether it is live decides who speaks.
-- +goose StatementBegin
CREATE TRIGGER sessions_made AFTER INSERT ON sessions BEGIN
    INSERT INTO changing VALUES (new.event_id, 'session', new.id);
    INSERT INTO changing SELECT new.event_id, 'session', new.composed_into WHERE new.composed_into IS NOT NULL;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sessions_changed AFTER UPDATE ON sessions
    WHEN (old.title, old.description, old.status, old.starts_at, old.ends_at, old.capacity, old.is_plenary,
            old.is_public, old.track_id, old.room_id, old.format_id, old.level_id, old.composed_into, old.is_linked,
            old.custom_fields, old.updated_at, old.deleted_at)
        IS NOT (new.title, new.description, new.status, new.starts_at, new.ends_at, new.capacity, new.is_plenary,
            new.is_public, new.track_id, new.room_id, new.format_id, new.level_id, new.composed_into, new.is_linked,
            new.custom_fields, new.updated_at, new.deleted_at) BEGIN
    INSERT INTO changing VALUES (new.event_id, 'session', new.id);
    INSERT INTO changing SELECT new.event_id, 'session', id FROM sessions WHERE id IN (old.composed_into, new.composed_into);
    INSERT INTO changing SELECT new.event_id, 'session', id FROM sessions WHERE composed_into = new.id
        AND (old.title, old.deleted_at) IS NOT (new.title, new.deleted_at);
    INSERT INTO changing SELECT new.event_id, 'speaker', contact_id FROM participants WHERE session_id = new.id
        AND (old.deleted_at IS NULL) <> (new.deleted_at IS NULL);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER participants_made AFTER INSERT ON participants BEGIN
    INSERT INTO changing VALUES (new.event_id, 'session', new.session_id);
    INSERT INTO changing VALUES (new.event_id, 'speaker', new.contact_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER participants_changed AFTER UPDATE ON participants BEGIN
    INSERT INTO changing VALUES (new.event_id, 'session', new.session_id);
    INSERT INTO changing SELECT new.event_id, 'session', old.session_id WHERE old.session_id <> new.session_id;
    INSERT INTO changing SELECT new.event_id, 'speaker', old.contact_id
        WHERE (old.session_id, old.contact_id) IS NOT (new.session_id, new.contact_id);
    INSERT INTO changing SELECT new.event_id, 'speaker', new.contact_id
        WHERE (old.session_id, old.contact_id) IS NOT (new.session_id, new.contact_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER participants_gone AFTER DELETE ON participants BEGIN
    INSERT INTO changing VALUES (old.event_id, 'session', old.session_id);
    INSERT INTO changing VALUES (old.event_id, 'speaker', old.contact_id);
END;
-- +goose StatementEnd

-- Participants show what stands in their contacts, at each event of the organization.
-- +goose StatementBegin
CREATE TRIGGER contacts_changed AFTER UPDATE ON contacts
    WHEN (old.email, old.first_name, old.last_name, old.full_name, old.company_name, old.job_title, old.phone,
            old.website_url, old.linkedin_url, old.about, old.photo_url, old.updated_at)
        IS NOT (new.email, new.first_name, new.last_name, new.full_name, new.company_name, new.job_title, new.phone,
            new.website_url, new.linkedin_url, new.about, new.photo_url, new.updated_at) BEGIN
    INSERT INTO changing SELECT p.event_id, 'session', p.session_id FROM event_contacts e
        JOIN participants p ON p.event_id = e.event_id AND p.contact_id = e.contact_id WHERE e.contact_id = new.id;
    INSERT INTO changing SELECT DISTINCT p.event_id, 'speaker', new.id FROM event_contacts e
        JOIN participants p ON p.event_id = e.event_id AND p.contact_id = e.contact_id WHERE e.contact_id = new.id;
END;
-- +goose StatementEnd

-- Who is a guest shows no phone.
-- +goose StatementBegin
CREATE TRIGGER guests_changed AFTER UPDATE OF guest_since ON event_contacts
    WHEN old.guest_since IS NOT new.guest_since BEGIN
    INSERT INTO changing SELECT DISTINCT event_id, 'speaker', contact_id FROM participants
        WHERE event_id = new.event_id AND contact_id = new.contact_id;
END;
-- +goose StatementEnd

-- What was there before.
INSERT INTO change_numbers (last) VALUES (1);
INSERT INTO changes SELECT id, 'event', id, 1 FROM events;
INSERT INTO changes SELECT event_id, rtrim(family, 's'), id, 1 FROM metadata;
INSERT INTO changes SELECT event_id, 'break', id, 1 FROM agenda_breaks WHERE deleted_at IS NULL;
INSERT INTO changes SELECT event_id, 'session', id, 1 FROM sessions WHERE deleted_at IS NULL;
INSERT INTO changes SELECT DISTINCT event_id, 'speaker', contact_id, 1 FROM participants;

-- +goose Down
DROP TRIGGER guests_changed;
DROP TRIGGER contacts_changed;
DROP TRIGGER participants_gone;
DROP TRIGGER participants_changed;
DROP TRIGGER participants_made;
DROP TRIGGER sessions_changed;
DROP TRIGGER sessions_made;
DROP TRIGGER breaks_gone;
DROP TRIGGER breaks_changed;
DROP TRIGGER breaks_made;
DROP TRIGGER metadata_changed;
DROP TRIGGER metadata_gone;
DROP TRIGGER metadata_made;
DROP TRIGGER events_changed;
DROP TRIGGER events_made;
DROP VIEW changing;
DROP TABLE changes;
DROP TABLE change_numbers;
