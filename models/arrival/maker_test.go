package arrival_test

import (
	"testing"

	"lectern/models/arrival"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestARecordIsOfTheMoveThatMadeIt brings a row anew whose record is gone here, and then once more.
func TestARecordIsOfTheMoveThatMadeIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		of := func(move string) *arrival.Arrival {
			return arrival.Of(f.Store.Programme(f.Event, store.By{Door: store.ImportDoor, RequestID: move})).Begin()
		}
		keep := func(move, record string, isMade bool) {
			modelstest.Fine(t, of(move).Keep(t.Context(), arrival.Questions,
				arrival.ArrivedRow{Key: "q", RecordID: record, Said: arrival.FieldHashes{}, IsMade: isMade}))
		}
		want := func(kind, record, move string) {
			t.Helper()
			var is, by string
			modelstest.Fine(t, f.SQL.QueryRow("SELECT record_id, made_by FROM imported WHERE kind = '"+kind+"'").Scan(&is, &by))
			if is != record || by != move {
				t.Errorf("%s is by %s; want %s by %s", is, by, record, move)
			}
		}
		keep("first", "a", true)
		keep("second", "a", false)
		want("question", "a", "first")
		keep("second", "b", true)
		want("question", "b", "second")
		keep("third", "c", false)
		want("question", "c", "")
		for _, round := range []struct{ move, known, made string }{{"first", "", "x"}, {"second", "x", "y"}} {
			modelstest.Must(of(round.move).Claim(t.Context(), arrival.Rounds, "r", round.known, round.made))(t)
			want("round", round.made, round.move)
		}
	})
}
