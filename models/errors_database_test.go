package models_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// unchangeable checks that reads go on while changes answer Unavailable.
func unchangeable(t *testing.T, f *modelstest.Fixture, why, words, key, login string) {
	t.Helper()
	f.Clock.Move(2 * time.Minute) // it is time to note that key and login were seen
	modelstest.Answers(apikey.In(f.Store).Authenticate(t.Context(), key, modelstest.Tester))(t, why+": a key answers", 0)
	modelstest.Answers(f.Staff.LoginBy(t.Context(), login))(t, why+": a login answers", 0)
	modelstest.Want(t, why+": a search finds",
		len(modelstest.First(f.Programme().SearchSessions(t.Context(), models.SessionSearch{}))(t)), 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	large := strings.Repeat("<p>text</p>", 4000)
	_, err := f.Programme().CreateSession(ctx, models.NewSession{Title: "T",
		SessionInput: models.SessionInput{Description: &large}})
	if e := store.AsError(err); e == nil || e.Kind != store.Unavailable || !strings.Contains(e.Message, words) {
		t.Errorf("%s: a create answers %v", why, err)
	}
	if words == "no room" {
		return // what needs no more room than before is still taken
	}
	modelstest.WantKind(t, why+": readiness", f.Ready(ctx), store.Unavailable)
	modelstest.WantKind(t, why+": keeping what was seen", f.KeepSeen(ctx), store.Unavailable)
}

// visitors makes a key, a login and a session that a search finds.
func visitors(t *testing.T, f *modelstest.Fixture) (key, login string) {
	t.Helper()
	_, key, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes})
	modelstest.WantKind(t, "a key", err, 0)
	modelstest.FirstOwner(t, f)
	login, _, err = modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase)
	modelstest.WantKind(t, "signing in", err, 0)
	modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "There"}))(t)
	modelstest.WantKind(t, "readiness", f.Ready(t.Context()), 0)
	return key, login
}

func TestReadsGoOnWhileADatabaseTakesNoChanges(t *testing.T) {
	t.Parallel()
	t.Run("full", func(t *testing.T) {
		t.Parallel()
		f := modelstest.OpenAt(t, modelstest.Database(t, "sqlite"))
		key, login := visitors(t, f)
		f.Store.SQL().SetMaxOpenConns(1) // a limit is a connection's own
		modelstest.Exec(t, f.Store.SQL(), "PRAGMA max_page_count = 1")
		unchangeable(t, f, "a full disk", "no room", key, login)
	})
	t.Run("locked", func(t *testing.T) {
		t.Parallel()
		f := modelstest.Open(t, "sqlite")
		key, login := visitors(t, f)
		holder := modelstest.Must(f.SQL.Conn(t.Context()))(t)
		modelstest.Must(holder.ExecContext(t.Context(), "BEGIN IMMEDIATE"))(t)
		unchangeable(t, f, "a lock that another process holds", "too busy", key, login)
		modelstest.Must(holder.ExecContext(t.Context(), "ROLLBACK"))(t)
		modelstest.WantKind(t, "readiness afterwards", f.Ready(t.Context()), 0)
		modelstest.WantKind(t, "keeping afterwards", apikey.In(f.Store).KeepUses(t.Context()), 0)
		k := modelstest.Must(apikey.In(f.Store).Authenticate(t.Context(), key,
			modelstest.Tester))(t)
		modelstest.Holds(t, k.LastUsedAt != nil, "when the key was used is not kept")
	})
	t.Run("read-only", func(t *testing.T) {
		t.Parallel()
		f := modelstest.Open(t, "postgres")
		key, login := visitors(t, f)
		readOnly := modelstest.Must(models.Open(t.Context(), f.Address+"&default_transaction_read_only=on",
			store.Options{Now: f.Clock.Now}))(t)
		defer readOnly.Close()
		f.Store = readOnly
		unchangeable(t, f, "a read-only server", "takes no changes", key, login)
	})
}

func TestADatabaseThatCannotServeIsNoFaultOfOurs(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	for code, words := range map[string]string{
		"53100": "no room", "25006": "no changes", "57014": "busy", "40P01": "busy", "53300": "busy", "57P01": "not answer",
		"58030": "not answer",
	} {
		_, err := f.SQL.Exec("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '" + code + "'; END $$")
		if e := store.AsError(err); e == nil || e.Kind != store.Unavailable || !strings.Contains(e.Message, words) {
			t.Errorf("%s is %v", code, e)
		}
	}
	if _, err := f.SQL.Exec("SELECT nothing"); err == nil || store.AsError(err) != nil {
		t.Errorf("a fault of ours is %v", store.AsError(err))
	}
	_, err := models.Open(t.Context(), "postgres://u:secret@127.0.0.1:1/db", store.Options{})
	modelstest.Holds(t, store.KindOf(err) == store.Unavailable && !strings.Contains(err.Error(), "secret"),
		"a server that is not there: %v", err)
}

func TestAConnectionThatTheDatabaseClosedIsNoFaultOfOurs(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("a statement: %w", pgconn.ErrConnClosed)
	e := store.AsError(err)
	modelstest.Holds(t, e != nil && e.Kind == store.Unavailable, "%v is answered %v", err, e)
}
