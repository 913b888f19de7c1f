package jobs_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/jobs/tracing"
	"lectern/jobs/tracing/tracingtest"
	"lectern/models"
	"lectern/models/archives"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/store"
)

// traced traces the fixture's statements to a collector.
func traced(t *testing.T, f *modelstest.Fixture) (*tracingtest.Collector, *tracing.Tracer) {
	t.Helper()
	c := tracingtest.Collect(t)
	tracer := modelstest.Must(tracing.Start(tracing.Options{URL: c.URL, Share: 1, Database: f.Store.Dialect()}))(t)
	f.Store.TraceStatements(tracer.Statement)
	return c, tracer
}

// wantTraces checks that the first trace of each name has no parent, and a statement within it.
func wantTraces(t *testing.T, c *tracingtest.Collector, statements map[string]string) {
	t.Helper()
	for name, does := range statements {
		spans, found := c.Named(name), false
		for _, s := range c.Named(does) {
			found = found || len(spans) > 0 && s.Parent == spans[0].ID
		}
		if len(spans) == 0 || spans[0].Parent != "" || !found {
			t.Errorf("%s is traced as %+v among %+v", name, spans, c.Spans())
		}
	}
}

// TestJobsAreTracedWithTheirStatements sends a letter and runs a batch, beside loops that find nothing to do.
func TestJobsAreTracedWithTheirStatements(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, tracer := traced(t, f)
		office, at := openPost(t)
		id := accepted(t, f, "Title-of-it", person("fine@x.org"))
		modelstest.Must(letters.Of(f.Programme()).SendChosen(t.Context(), letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		sender := jobs.NewLetters(f.Store, at, "Programme <programme@post.test>").Traced(tracer)
		if n := modelstest.Must(sender.SendDue(t.Context()))(t); n != 1 || len(office.got("fine@x.org")) != 1 {
			t.Errorf("%d attempts", n)
		}
		batch := modelstest.Must(f.Programme().StartBatch(t.Context(), []string{id}, nil,
			models.BatchChange{Operation: models.BatchDelete}))(t)
		stop := works(t, jobs.New(f.Store, jobs.Options{Tracer: tracer}).RunBatches)
		modelstest.Await(t, "the batch is finished", func() bool {
			return modelstest.Must(f.Programme().Batch(t.Context(), batch.ID))(t).State == models.BatchFinished
		})
		stop()
		tracer.End()
		wantTraces(t, c, map[string]string{"letter": "UPDATE letters", "batch": "UPDATE sessions"})
		if c.Named("letter")[0].Failed || c.Named("batch")[0].Failed {
			t.Errorf("a job is traced as failed: %+v", c.Spans())
		}
		if n := len(c.Named("letter")) + len(c.Named("batch")); n > 3 {
			t.Errorf("%d traces: looks that found nothing are among them", n)
		}
		if raw, _ := c.Bytes(); strings.Contains(raw, "fine@x.org") || strings.Contains(raw, "Title-of-it") || strings.Contains(raw, id) {
			t.Error("the traces tell whom a letter is for, or of what")
		}
	})
}

// TestMailsAndUpkeepAreTraced sends a mail, and runs the sweeps of a leader and the note that a speaker was seen.
func TestMailsAndUpkeepAreTraced(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, tracer := traced(t, f)
		office, at := openPost(t)
		mailer := jobs.NewMailer(at, "Lectern <lectern@post.test>").Traced(tracer)
		sent := works(t, func(ctx context.Context) { mailer.Run(ctx, time.Second) })
		modelstest.Fine(t, mailer.Send(t.Context(), &models.OutgoingLetter{Email: "ada@x.org",
			Letter: models.Letter{Subject: "Subject-of-it", Body: "B"}}))
		mailer.Close()
		sent()
		modelstest.Want(t, "it did not arrive", len(office.got("ada@x.org")), 1)
		runner := jobs.New(f.Store, jobs.Options{Tracer: tracer, Retention: time.Hour})
		swept := make(chan struct{})
		var once sync.Once
		end := f.Statement.Watch(func(sql string) {
			if strings.Contains(sql, "webhook_deliveries") && strings.Contains(sql, "DELETE") {
				once.Do(func() { close(swept) })
			}
		})
		stop := works(t, func(ctx context.Context) { runner.Run(ctx, time.Second) })
		select {
		case <-swept:
		case <-time.After(modelstest.Patience):
			t.Error("nothing was swept")
		}
		end()
		time.Sleep(100 * time.Millisecond) // the last one ends
		stop()
		ctx, ended := context.WithCancel(t.Context())
		ended()
		runner.KeepSeen(ctx) // nobody was
		f.Store.SpeakersSeen.Note(store.NewID(), nil, f.Store.Now())
		runner.KeepSeen(ctx)
		tracer.End()
		for name, n := range map[string]int{"mail": 1, "seen": 1, "sweep logins and links": 1,
			"sweep files that nobody needs": 1, "sweep the delivery log": 1, "letters that were cut off": 0} {
			if spans := c.Named(name); len(spans) != n || n > 0 && spans[0].Parent != "" {
				t.Errorf("%s: %+v", name, spans)
			}
		}
		if raw, _ := c.Bytes(); strings.Contains(raw, "ada@x.org") || strings.Contains(raw, "Subject-of-it") {
			t.Error("the traces tell whom a mail is for, or of what")
		}
	})
}

// TestArchivesAndMovesAreTraced makes an archive, and runs a move to an address that is refused.
func TestArchivesAndMovesAreTraced(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, tracer := traced(t, f)
		runner := jobs.New(f.Store, jobs.Options{Tracer: tracer})
		all := archives.OfAll(f.Store, f.Store.Organization(f.Event.OrganizationID, store.By{Door: "admin",
			ActorID: modelstest.FirstOwner(t, f).ID, ActorName: "Ada"}))
		modelstest.Fine(t, all.Ask(t.Context()))
		at := moves.Of(organizer(t, f))
		m := modelstest.Must(at.Begin(t.Context(),
			moves.Asked{Kind: "schedule", Address: "http://127.0.0.1:9/path-of-it"}))(t)
		stop := works(t, runner.RunArchives, runner.RunMoves)
		reaches(t, f, m.ID)
		modelstest.Await(t, "the archive is made", func() bool {
			return modelstest.Must(all.Latest(t.Context()))(t).State != archives.Making
		})
		stop()
		tracer.End()
		wantTraces(t, c, map[string]string{"archive": "UPDATE archives", "move": "UPDATE moves"})
		if raw, _ := c.Bytes(); strings.Contains(raw, "path-of-it") {
			t.Error("the traces tell where a move asks")
		}
	})
}
