-- +goose Up
-- When something changed last is kept beside the number of that: its commit, by the clock of the database. Of what
-- changed before, it is null.
ALTER TABLE changes ADD COLUMN changed_at timestamptz(3);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_change(of_event text, of_kind text, ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken bigint := change_number();
BEGIN
    INSERT INTO changes AS c (event_id, kind, id, number, changed_at)
        SELECT DISTINCT of_event, of_kind, i, taken, statement_timestamp() FROM unnest(ids) i WHERE i IS NOT NULL
        ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number, changed_at = excluded.changed_at
            WHERE c.number < excluded.number;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION mark_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    taken bigint := change_number();
BEGIN
    INSERT INTO changes AS c (event_id, kind, id, number, changed_at)
        SELECT DISTINCT p.event_id, t.kind, t.id, taken, statement_timestamp() FROM unnest(NEW.contacts) changed
            JOIN event_contacts e ON e.contact_id = changed
            JOIN participants p ON p.event_id = e.event_id AND p.contact_id = e.contact_id,
            LATERAL (VALUES ('session', p.session_id), ('speaker', p.contact_id)) t (kind, id)
        ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number, changed_at = excluded.changed_at
            WHERE c.number < excluded.number;
    DELETE FROM changing_contacts WHERE id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_change(of_event text, of_kind text, ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken bigint := change_number();
BEGIN
    INSERT INTO changes AS c (event_id, kind, id, number)
        SELECT DISTINCT of_event, of_kind, i, taken FROM unnest(ids) i WHERE i IS NOT NULL
        ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number
            WHERE c.number < excluded.number;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION mark_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    taken bigint := change_number();
BEGIN
    INSERT INTO changes AS c (event_id, kind, id, number)
        SELECT DISTINCT p.event_id, t.kind, t.id, taken FROM unnest(NEW.contacts) changed
            JOIN event_contacts e ON e.contact_id = changed
            JOIN participants p ON p.event_id = e.event_id AND p.contact_id = e.contact_id,
            LATERAL (VALUES ('session', p.session_id), ('speaker', p.contact_id)) t (kind, id)
        ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number
            WHERE c.number < excluded.number;
    DELETE FROM changing_contacts WHERE id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
ALTER TABLE changes DROP COLUMN changed_at;
