package status_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestTheStatusIsQuietUntilSomethingIsWrong(t *testing.T) {
	modelstest.InTurn(t)
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			d := admintest.OpenOn(t, dialect, visit.Options{})
			d.As(staff.Organizer).Get(visit.StatusPath, 403)
			b := d.As(staff.Owner)
			lead := modelstest.Must(d.Outbox.TakeLead(t.Context(), time.Minute))(t)
			page := b.Get(visit.StatusPath, 200)
			admintest.Wants(t, page, "No mail server: links are shown instead", "endpoints are on", "Nothing waits",
				"Nothing is at work", store.ProcessName())
			admintest.Wants(t, page, "Everything is as it should be.", ", delivers")
			modelstest.Fine(t, lead.Release(t.Context()))

			endpoint := modelstest.First(d.Webhooks().CreateEndpoint(t.Context(),
				"https://hook.example.org/of/a-secret?key=hush"))(t)
			d.Session(models.NewSession{Title: "First"})
			modelstest.Must(d.Outbox.FanOut(t.Context(), false, 100))(t)
			d.Clock.Move(5 * time.Minute)
			page = b.Get(visit.StatusPath, 200)
			admintest.Wants(t, page, "Webhook deliveries", "Deliveries do not move: the oldest waits for 5 minutes",
				"hook.example.org has not taken what waits for it, for 5 minutes.", `href="/admin/deliveries"`)
			for _, secret := range []string{"hush", "a-secret", endpoint.ID} {
				admintest.Lacks(t, page, secret)
			}
			d.Store.Options.HasMail = true
			n := models.Note{Name: "Ada", Email: "ada@example.org", Subject: "Hello", Text: "Hello"}
			modelstest.Fine(t, d.Store.Mails(d.Event.OrganizationID, store.By{}).Send(t.Context(), n))
			out := modelstest.Must(d.ClaimLetter(t.Context(), "example.org"))(t)
			modelstest.Fine(t, d.EndLetter(t.Context(), out, models.LetterEnd{State: models.LetterQueued, Barred: true,
				Answer: "535: the mail server does not take our name and password"}))
			d.Clock.Move(6 * time.Minute)
			page = b.Get(visit.StatusPath, 200)
			admintest.Wants(t, page, "Letters wait, the first for 6 minutes. The reason: “535: the mail server does not take our "+
				"name and password”.", "Check the mail server and LECTERN_SMTP_URL", "Nothing was sent yet")
			admintest.Lacks(t, page, "ada@example.org")
		})
	}
}

func TestTheStatusIsThereWithoutItsAnswers(t *testing.T) {
	d := admintest.OpenOn(t, "sqlite", visit.Options{})
	b := d.As(staff.Owner)
	modelstest.Exec(t, d.Store.SQL(), "ALTER TABLE deliveries_due RENAME TO gone")
	admintest.Wants(t, b.Get(visit.StatusPath, 200), "One thing needs you: Webhook deliveries.", "This could not be told just now.",
		"Nothing is at work")
}
