package people_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/people"
)

// An import that the database has begin once more is still its worker's: another one would end it as cut short.
func TestAnImportThatBeginsOnceMoreHoldsItsLease(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	for _, statement := range []string{
		"CREATE SEQUENCE tries", "CREATE SEQUENCE beats",
		`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF NEW.state = 'finished' AND nextval('tries') = 1 THEN
				RAISE EXCEPTION 'once more' USING ERRCODE = '40001';
			ELSIF NEW.state = 'running' AND (SELECT is_called FROM tries) THEN
				PERFORM nextval('beats');
			END IF;
			RETURN NEW; END $$`,
		"CREATE TRIGGER fail_once BEFORE UPDATE ON contact_imports FOR EACH ROW EXECUTE FUNCTION fail_once()",
		`CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT is_called FROM tries) THEN PERFORM pg_sleep(2.5); END IF;
			RETURN NULL; END $$`,
		"CREATE TRIGGER take_time AFTER INSERT ON contacts FOR EACH STATEMENT EXECUTE FUNCTION take_time()",
	} {
		modelstest.Exec(t, f.SQL, statement)
	}
	i := modelstest.ImportPeople(t, f, "Name,Email\nAda Byron,ada@example.org\n", people.ImportFill)
	var tries, beats int64
	modelstest.Fine(t, f.SQL.QueryRowContext(t.Context(), "SELECT last_value FROM tries").Scan(&tries))
	modelstest.Fine(t, f.SQL.QueryRowContext(t.Context(), "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM beats").
		Scan(&beats))
	if i.State != people.ImportFinished || i.Created != 1 || tries != 2 || beats == 0 {
		t.Errorf("%s with %d new after %d tries, and %d signs of life in the second", i.State, i.Created, tries, beats)
	}
}
