-- +goose Up
-- How long its parts last, and in which order they come, is told of a session too.
CREATE CONSTRAINT TRIGGER parts_changed AFTER UPDATE ON sessions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.part_order, OLD.part_minutes) IS DISTINCT FROM (NEW.part_order, NEW.part_minutes))
    EXECUTE FUNCTION note_session();

-- +goose Down
DROP TRIGGER parts_changed ON sessions;
