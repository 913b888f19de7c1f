-- +goose Up
-- What a change of a session changes is noted by one statement. A new title took two, and the second had no rows but of
-- sessions that are composed.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_session() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed text[] := ARRAY[NEW.id, NEW.composed_into, OLD.composed_into];
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.title, OLD.deleted_at) IS DISTINCT FROM (NEW.title, NEW.deleted_at) THEN
        changed := changed || ARRAY(SELECT id FROM sessions WHERE event_id = NEW.event_id AND composed_into = NEW.id);
    END IF;
    PERFORM note_change(NEW.event_id, 'session', changed);
    IF TG_OP = 'UPDATE' AND (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) THEN
        PERFORM note_change(NEW.event_id, 'speaker', ARRAY(SELECT contact_id FROM participants
            WHERE event_id = NEW.event_id AND session_id = NEW.id));
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_session() RETURNS trigger LANGUAGE plpgsql AS $$
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
