package status_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/status"
	"lectern/models/store"
)

// tenant returns the fixture's organization.
func tenant(f *modelstest.Fixture) *store.Tenant {
	return f.Store.Organization(f.Event.OrganizationID, store.By{})
}

func read(t *testing.T, f *modelstest.Fixture) *status.Status {
	t.Helper()
	s := status.Read(t.Context(), f.Store, tenant(f))
	for _, err := range []error{s.Database.Err, s.Disk.Err, s.Mail.Err, s.Webhooks.Err, s.Jobs.Err, s.Processes.Err} {
		modelstest.Fine(t, err)
	}
	return s
}

func TestAnInstallationSaysWhatItStandsOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := read(t, f)
		if d := s.Database.Is; d.Dialect != f.Store.Dialect() || d.Server == "" || d.Bytes < 4096 || d.Has != d.Knows || d.Has < 97 ||
			(d.Path == "") == f.Store.Embedded() || d.Pool.MaxOpenConnections == 0 {
			t.Errorf("%+v", d)
		}
		if f.Store.Embedded() && (s.Disk.Is.Database == nil || s.Disk.Is.Database.Free == 0 ||
			s.Disk.Is.Database.All < s.Disk.Is.Database.Free) {
			t.Errorf("%+v", s.Disk.Is.Database)
		}
		var names []string
		for _, p := range s.Processes.Is {
			names = append(names, p.Name)
			if p.Connections == 0 {
				t.Errorf("%+v", p)
			}
		}
		modelstest.Want(t, "processes", strings.Count(strings.Join(names, " "), store.ProcessName()), 1)
		if s.Webhooks.Is.Endpoints != 0 || len(s.Jobs.Is) != 4 || s.Mail.Is.LastSent != nil {
			t.Errorf("%+v, %+v, %+v", s.Webhooks.Is, s.Jobs.Is, s.Mail.Is)
		}
	})
}

func TestWhatWaitsCostsTheSameHoweverMuchItIs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.NewEndpoint(t, f.Webhooks(), "https://hook.example.org/secret-path?key=hush")
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "First"}))(t)
		modelstest.Must(f.Outbox.FanOut(t.Context(), false, 10))(t)
		f.Clock.Move(5 * time.Minute)
		before := f.Statement.During(func() {
			b := read(t, f).Webhooks.Is
			if b.Waiting != 1 || b.Stuck() == "" || b.Endpoints != 1 || len(b.Behind) != 1 ||
				b.Behind[0] != (outbox.EndpointQueue{Host: "hook.example.org", Waits: 5 * time.Minute}) {
				t.Errorf("one that waits: %+v", b)
			}
		})
		many(t, f)
		after := f.Statement.During(func() {
			s := read(t, f)
			modelstest.Want(t, "deliveries are counted up to", s.Webhooks.Is.Waiting, outbox.CountedUpTo+1)
			if c := s.Mail.Is; c.Waiting != models.LettersCountedUpTo+1 || c.PutOff != "The mail server could not be reached, or hung up" ||
				c.Lost != 3 || c.Reason != "550 5.1.1: the address does not exist" || c.LastSent == nil || c.Overdue != 5*time.Minute {
				t.Errorf("%+v", c)
			}
		})
		if len(before) != len(after) || len(after) > 14 {
			t.Errorf("%d statements, then %d:\n%s", len(before), len(after), strings.Join(after, "\n"))
		}
	})
}

func TestEachEndpointCounts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for i := range 103 {
			modelstest.NewEndpoint(t, f.Webhooks(), fmt.Sprintf("https://hook-%d.example.org/", i))
		}
		if b := read(t, f).Webhooks.Is; b.Endpoints != 103 || b.Behind != nil {
			t.Errorf("%+v", b)
		}
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "First"}))(t)
		modelstest.Must(f.Outbox.FanOut(t.Context(), false, 10))(t)
		f.Clock.Move(5 * time.Minute)
		if b := read(t, f).Webhooks.Is; b.Endpoints != 103 || len(b.Behind) != 100 {
			t.Errorf("%d endpoints, %d behind", b.Endpoints, len(b.Behind))
		}
	})
}

// many puts in line what no page should have to count: deliveries, and letters of which some were lost.
func many(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	series := "generate_series(1, 1500)"
	if f.Store.Embedded() {
		series = "(WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1500) SELECT n FROM n)"
	}
	modelstest.Exec(t, f.Store.SQL(), `INSERT INTO deliveries_due (emission_seq, webhook_id, organization_id, resource_id)
		SELECT e.emission_seq, e.webhook_id, e.organization_id, e.resource_id FROM (SELECT * FROM deliveries_due LIMIT 1) e,
		`+series+` n`)
	now := f.Store.Now()
	letters := make([]*models.Letter, 0, 1504)
	letter := func(state models.LetterState, answer string) *models.Letter {
		l := &models.Letter{ID: store.NewID(), Kind: models.LetterNote, OrganizationID: &f.Event.OrganizationID, State: state,
			ToEmail: "somebody@example.org", Subject: "S", Body: "B", Answer: answer, CreatedAt: now, UpdatedAt: now}
		letters = append(letters, l)
		return l
	}
	for i := range 1500 {
		l := letter(models.LetterQueued, "")
		l.DueAt = new(store.At(now.Add(-time.Minute * time.Duration(5*min(1, 1500-i-1)))))
		if i == 3 {
			l.Answer = "The mail server could not be reached, or hung up"
		}
	}
	for range 3 {
		letter(models.LetterFailed, "550 5.1.1: the address does not exist")
	}
	letter(models.LetterFailed, "of last week").UpdatedAt = store.At(now.Add(-7 * 24 * time.Hour))
	sent := letter(models.LetterSent, "")
	sent.SentAt, sent.MessageID = &now, sent.ID+"@example.org"
	modelstest.Fine(t, f.Store.Write(t.Context(), func(tx *store.Tx) error { return store.InsertInto(tx, "letters", letters) }))
}

func TestOneOrganizationSeesNothingOfAnothersReceivers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		eve, _ := modelstest.ForeignOwner(t, f)
		modelstest.NewEndpoint(t, f.Webhooks(), "https://hook.example.org/")
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "First"}))(t)
		f.Clock.Move(5 * time.Minute)
		s := status.Read(t.Context(), f.Store, f.Store.Organization(eve.OrganizationID, store.By{}))
		if b := s.Webhooks.Is; s.Webhooks.Err != nil || b.Waiting != 0 || b.Oldest != 0 || b.Endpoints != 0 || b.Behind != nil {
			t.Errorf("%+v, %v", b, s.Webhooks.Err)
		}
	})
}

func TestWithoutADatabaseEachQuestionSaysSo(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		f.Store.Close()
		s := status.Read(t.Context(), f.Store, tenant(f))
		for i, err := range []error{s.Database.Err, s.Disk.Err, s.Mail.Err, s.Webhooks.Err, s.Jobs.Err} {
			if err == nil {
				t.Error(fmt.Sprint("question ", i, " has an answer"))
			}
		}
	})
}
