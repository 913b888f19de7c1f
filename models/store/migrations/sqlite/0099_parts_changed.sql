-- +goose Up
-- How long its parts last, and in which order they come, is told of a session too.
-- +goose StatementBegin
CREATE TRIGGER parts_changed AFTER UPDATE OF part_order, part_minutes ON sessions
    WHEN (old.part_order, old.part_minutes) IS NOT (new.part_order, new.part_minutes) BEGIN
    INSERT INTO changing VALUES (new.event_id, 'session', new.id);
    INSERT INTO changing SELECT new.event_id, 'session', new.composed_into WHERE new.composed_into IS NOT NULL;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER parts_changed;
