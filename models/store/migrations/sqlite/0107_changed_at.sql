-- +goose Up
-- When something changed last is kept beside the number of that: its commit, by the clock of the database. Of what
-- changed before, it is null.
ALTER TABLE changes ADD COLUMN changed_at text;
DROP TRIGGER changing_noted;
-- +goose StatementBegin
CREATE TRIGGER changing_noted INSTEAD OF INSERT ON changing BEGIN
    INSERT INTO change_numbers (last) VALUES (1) ON CONFLICT (one) DO UPDATE SET last = last + 1;
    INSERT INTO changes (event_id, kind, id, number, changed_at)
        SELECT new.event_id, new.kind, new.id, last, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM change_numbers
        WHERE true ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number, changed_at = excluded.changed_at;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER changing_noted;
-- +goose StatementBegin
CREATE TRIGGER changing_noted INSTEAD OF INSERT ON changing BEGIN
    INSERT INTO change_numbers (last) VALUES (1) ON CONFLICT (one) DO UPDATE SET last = last + 1;
    INSERT INTO changes (event_id, kind, id, number)
        SELECT new.event_id, new.kind, new.id, last FROM change_numbers
        WHERE true ON CONFLICT (event_id, kind, id) DO UPDATE SET number = excluded.number;
END;
-- +goose StatementEnd
ALTER TABLE changes DROP COLUMN changed_at;
