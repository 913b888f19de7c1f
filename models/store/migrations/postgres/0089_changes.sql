-- +goose Up
-- What of each event the API shows changed when: one row for each thing, also for what is no more, with the number of
-- the last transaction that changed it. Numbers are those of the commits, in their order: a deferred trigger takes the
-- number at the commit and holds it until that is done, so whoever sees a number has seen all before it. It is the last
-- that a transaction holds, and nothing else holds rows of changes.
CREATE TABLE change_numbers (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- Another one where the database of a backup took this one's place: cursors of before mean nothing then.
    series text COLLATE "C" NOT NULL DEFAULT substr(md5(random()::text || clock_timestamp()::text), 1, 8),
    last   bigint NOT NULL
);
CREATE TABLE changes (
    event_id text COLLATE "C" NOT NULL REFERENCES events ON DELETE CASCADE,
    kind     text COLLATE "C" NOT NULL CHECK (kind IN
        ('event', 'track', 'room', 'tag', 'format', 'level', 'break', 'speaker', 'session')),
    id       text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,
    PRIMARY KEY (event_id, kind, id)
);
CREATE INDEX changes_number ON changes (event_id, number);

-- +goose StatementBegin
CREATE FUNCTION note_change(of_event text, of_kind text, ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken bigint := nullif(current_setting('lectern.change', true), '')::bigint;
BEGIN
    IF taken IS NULL THEN
        INSERT INTO change_numbers AS n (last) VALUES (1)
            ON CONFLICT (one) DO UPDATE SET last = n.last + 1 RETURNING last INTO taken;
        PERFORM set_config('lectern.change', taken::text, true);
    END IF;
    INSERT INTO changes AS c (event_id, kind, id, number)
        SELECT DISTINCT of_event, of_kind, i, taken FROM unnest(ids) i WHERE i IS NOT NULL
        ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number WHERE c.number < excluded.number;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_change(NEW.id, 'event', ARRAY[NEW.id]);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER events_made AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note_event();
CREATE CONSTRAINT TRIGGER events_changed AFTER UPDATE ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.name, OLD.slug, OLD.timezone) IS DISTINCT FROM (NEW.name, NEW.slug, NEW.timezone))
    EXECUTE FUNCTION note_event();

-- +goose StatementBegin
-- A row of metadata stands in sessions, with what is told of it.
CREATE FUNCTION note_metadata() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_event text := coalesce(NEW.event_id, OLD.event_id);
    this     text := coalesce(NEW.id, OLD.id);
BEGIN
    PERFORM note_change(of_event, rtrim(coalesce(NEW.family, OLD.family), 's'), ARRAY[this]);
    IF TG_OP = 'UPDATE' THEN
        PERFORM note_change(of_event, 'session', ARRAY(
            SELECT id FROM sessions WHERE event_id = of_event AND track_id = this
            UNION SELECT id FROM sessions WHERE event_id = of_event AND room_id = this
            UNION SELECT id FROM sessions WHERE event_id = of_event AND format_id = this
            UNION SELECT id FROM sessions WHERE event_id = of_event AND level_id = this
            UNION SELECT session_id FROM session_tags WHERE event_id = of_event AND tag_id = this));
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER metadata_made AFTER INSERT OR DELETE ON metadata DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note_metadata();
CREATE CONSTRAINT TRIGGER metadata_changed AFTER UPDATE ON metadata DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.name, OLD.position, OLD.color, OLD.capacity, OLD.default_minutes, OLD.updated_at)
        IS DISTINCT FROM (NEW.name, NEW.position, NEW.color, NEW.capacity, NEW.default_minutes, NEW.updated_at))
    EXECUTE FUNCTION note_metadata();

-- +goose StatementBegin
CREATE FUNCTION note_break() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_change(coalesce(NEW.event_id, OLD.event_id), 'break', ARRAY[coalesce(NEW.id, OLD.id)]);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER breaks_changed AFTER INSERT OR UPDATE OR DELETE ON agenda_breaks
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_break();

-- +goose StatementBegin
-- Whatever changes a session moves its updated_at, also its tags. What it is composed of, and what that is called,
-- stands in both. Whether it is live decides who speaks.
CREATE FUNCTION note_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_change(NEW.event_id, 'session', ARRAY[NEW.id, NEW.composed_into, OLD.composed_into]);
    IF TG_OP = 'UPDATE' THEN
        IF (OLD.title, OLD.deleted_at) IS DISTINCT FROM (NEW.title, NEW.deleted_at) THEN
            PERFORM note_change(NEW.event_id, 'session', ARRAY(SELECT id FROM sessions
                WHERE event_id = NEW.event_id AND composed_into = NEW.id));
        END IF;
        IF (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) THEN
            PERFORM note_change(NEW.event_id, 'speaker', ARRAY(SELECT contact_id FROM participants
                WHERE event_id = NEW.event_id AND session_id = NEW.id));
        END IF;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER sessions_made AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note_session();
CREATE CONSTRAINT TRIGGER sessions_changed AFTER UPDATE ON sessions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.title, OLD.description, OLD.status, OLD.starts_at, OLD.ends_at, OLD.capacity,
            OLD.is_plenary, OLD.is_public, OLD.track_id, OLD.room_id, OLD.format_id, OLD.level_id, OLD.composed_into,
            OLD.is_linked, OLD.custom_fields, OLD.updated_at, OLD.deleted_at)
        IS DISTINCT FROM (NEW.title, NEW.description, NEW.status, NEW.starts_at, NEW.ends_at, NEW.capacity,
            NEW.is_plenary, NEW.is_public, NEW.track_id, NEW.room_id, NEW.format_id, NEW.level_id, NEW.composed_into,
            NEW.is_linked, NEW.custom_fields, NEW.updated_at, NEW.deleted_at))
    EXECUTE FUNCTION note_session();

-- +goose StatementBegin
CREATE FUNCTION note_participant() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_event text := coalesce(NEW.event_id, OLD.event_id);
BEGIN
    PERFORM note_change(of_event, 'session', ARRAY[NEW.session_id, OLD.session_id]);
    IF (NEW.session_id, NEW.contact_id) IS DISTINCT FROM (OLD.session_id, OLD.contact_id) THEN
        PERFORM note_change(of_event, 'speaker', ARRAY[NEW.contact_id, OLD.contact_id]);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER participants_changed AFTER INSERT OR UPDATE OR DELETE ON participants
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_participant();

-- +goose StatementBegin
-- Participants show what stands in their contacts, at each event of the organization.
CREATE FUNCTION note_contact() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    theirs record;
BEGIN
    FOR theirs IN SELECT p.event_id, array_agg(p.session_id) AS sessions FROM event_contacts e
        JOIN participants p ON p.event_id = e.event_id AND p.contact_id = e.contact_id
        WHERE e.contact_id = NEW.id GROUP BY p.event_id
    LOOP
        PERFORM note_change(theirs.event_id, 'session', theirs.sessions);
        PERFORM note_change(theirs.event_id, 'speaker', ARRAY[NEW.id]);
    END LOOP;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER contacts_changed AFTER UPDATE ON contacts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.email, OLD.first_name, OLD.last_name, OLD.full_name, OLD.company_name, OLD.job_title,
            OLD.phone, OLD.website_url, OLD.linkedin_url, OLD.about, OLD.photo_url, OLD.updated_at)
        IS DISTINCT FROM (NEW.email, NEW.first_name, NEW.last_name, NEW.full_name, NEW.company_name, NEW.job_title,
            NEW.phone, NEW.website_url, NEW.linkedin_url, NEW.about, NEW.photo_url, NEW.updated_at))
    EXECUTE FUNCTION note_contact();

-- +goose StatementBegin
-- Who is a guest shows no phone.
CREATE FUNCTION note_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_change(NEW.event_id, 'speaker', ARRAY(SELECT DISTINCT contact_id FROM participants
        WHERE event_id = NEW.event_id AND contact_id = NEW.contact_id));
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER guests_changed AFTER UPDATE ON event_contacts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.guest_since IS DISTINCT FROM NEW.guest_since) EXECUTE FUNCTION note_guest();

-- What was there before.
INSERT INTO change_numbers (last) VALUES (1);
INSERT INTO changes SELECT id, 'event', id, 1 FROM events;
INSERT INTO changes SELECT event_id, rtrim(family, 's'), id, 1 FROM metadata;
INSERT INTO changes SELECT event_id, 'break', id, 1 FROM agenda_breaks WHERE deleted_at IS NULL;
INSERT INTO changes SELECT event_id, 'session', id, 1 FROM sessions WHERE deleted_at IS NULL;
INSERT INTO changes SELECT DISTINCT event_id, 'speaker', contact_id, 1 FROM participants;

-- +goose Down
DROP TRIGGER guests_changed ON event_contacts;
DROP TRIGGER contacts_changed ON contacts;
DROP TRIGGER participants_changed ON participants;
DROP TRIGGER sessions_changed ON sessions;
DROP TRIGGER sessions_made ON sessions;
DROP TRIGGER breaks_changed ON agenda_breaks;
DROP TRIGGER metadata_changed ON metadata;
DROP TRIGGER metadata_made ON metadata;
DROP TRIGGER events_changed ON events;
DROP TRIGGER events_made ON events;
DROP FUNCTION note_guest, note_contact, note_participant, note_session, note_break, note_metadata, note_event,
    note_change;
DROP TABLE changes;
DROP TABLE change_numbers;
