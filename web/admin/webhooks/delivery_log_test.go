package webhooks_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/webhooks"
)

// deliver makes a session and lets its delivery end as finish says.
func deliver(d *admintest.Desk, endpoint *outbox.Endpoint, title string,
	finish func(*outbox.Delivery)) *outbox.Delivery {
	d.T.Helper()
	ctx := d.T.Context()
	d.Session(models.NewSession{Title: title})
	modelstest.Must(d.Outbox.FanOut(ctx, false, 100))(d.T)
	round := modelstest.Must(d.NextRound(ctx, endpoint.ID, "", nil))(d.T)
	if round == nil {
		d.T.Fatal("nothing is in line")
	}
	if finish == nil {
		return round.Delivery
	}
	finish(round.Delivery)
	if round.Delivery.Retry() {
		second := modelstest.Must(d.Outbox.BeginRetry(ctx, round.Delivery))(d.T)
		finish(second)
		round.Delivery = second
	}
	modelstest.Fine(d.T, d.Finish(ctx, round.Delivery))
	return round.Delivery
}

func ended(outcome outbox.Outcome, class outbox.ErrorClass, status int, excerpt string) func(*outbox.Delivery) {
	return func(d *outbox.Delivery) {
		d.Outcome, d.ErrorClass, d.ResponseExcerpt, d.DurationMS = outcome, class, excerpt, new(1234)
		if status > 0 {
			d.ResponseStatus = &status
		}
	}
}

func TestDeliveryLogShowsRoundsWithTheirAttempts(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Get("/admin/deliveries", 200), "Nothing was sent yet", "Add an endpoint", "There is no resend")
	office := d.Webhooks()
	endpoint := modelstest.First(office.CreateEndpoint(t.Context(),
		"https://example.org/hook?<script>alert(1)</script>"))(t)
	admintest.Wants(t, b.Get("/admin/deliveries", 200), "The next new, changed")
	deliver(d, endpoint, "<script>alert(2)</script>", ended(outbox.Success, "", 200, "<script>alert(3)</script>"))
	deliver(d, endpoint, "Refused", ended(outbox.Failure, outbox.StatusError, 404, "no such hook"))
	failed := deliver(d, endpoint, "Failed", ended(outbox.Failure, outbox.StatusError, 503, "later"))
	deliver(d, endpoint, "Blocked", ended(outbox.Failure, outbox.BlockedError, 0, ""))
	deliver(d, endpoint, "Long "+strings.Repeat("ö", 200), ended(outbox.Failure, outbox.InterruptedError, 0, ""))
	deliver(d, endpoint, "Now", nil)
	page := b.Get("/admin/deliveries", 200)
	admintest.Wants(t, page, "Delivered", "Rejected (4xx, not retried)", "Failed after retry", "Blocked", "Under way",
		"(the retry)", "503", "404", "1,234 ms", "later", "no such hook", "it was not retried", "the same bytes both times",
		d.Event.Name, d.Clock.Now().In(d.Event.Location()).Format("15:04 MST"), "1 to 6 of 6 deliveries",
		"&#34;title&#34;:&#34;Refused&#34;")
	admintest.Lacks(t, page, "<script>alert", "Add an endpoint")
	rounds := regexp.MustCompile(`<details`)
	for query, n := range map[string]int{
		"result=delivered": 1, "result=rejected": 1, "result=failed": 2, "result=blocked": 1, "result=under_way": 1,
		"result=handoff_failed": 0,
		"type=session.created":  6, "type=session.deleted": 0, "event=" + d.Event.ID: 6, "event=" + d.Other.ID: 0,
		"endpoint=" + endpoint.ID:   6,
		"endpoint=" + store.NewID(): 0, "emission=" + failed.EmissionID: 1, "result=failed&type=session.created&endpoint=" +
			endpoint.ID: 2,
	} {
		page := b.Get("/admin/deliveries?"+query, 200)
		_, list, found := strings.Cut(page, `<ul class="rounds">`)
		if got := len(rounds.FindAllString(list, -1)); got != n || found != (n > 0) {
			t.Errorf("%s shows %d rounds, want %d", query, got, n)
		}
		if n == 0 {
			admintest.Wants(t, page, "Nothing matches", "Clear filters")
		}
	}
	for _, query := range []string{
		"result=lost", "type=x", "event=x", "endpoint=%00", "emission=1", "page=last", "type=x&endpoint=x&event=x",
	} {
		kept := "event=" + d.Event.ID + "&result=failed"
		if strings.Contains(query, "event=") {
			kept = "result=failed"
		}
		if strings.Contains(query, "result=") {
			kept = "event=" + d.Event.ID
		}
		b.DropsOf("/admin/deliveries?"+kept, query)
	}
	modelstest.Fine(t, office.DeleteEndpoint(t.Context(), endpoint.ID))
	admintest.Wants(t, b.Get("/admin/deliveries?endpoint="+endpoint.ID, 200), "An endpoint that is gone",
		"(deleted since)")
}

func TestDeliveriesThatWaitAreSaidInTheLogAndWhenItIsLongOnTheDashboard(t *testing.T) {
	d := admintest.Open(t)
	organizer, viewer := d.As(staff.Organizer), d.As(staff.Viewer)
	endpoint, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://example.org/hook")
	says := func(log, dashboard string) {
		t.Helper()
		admintest.Wants(t, organizer.Get("/admin/deliveries", 200), log)
		page := organizer.Get(d.At(""), 200)
		if dashboard == "" {
			admintest.Lacks(t, page, "to other systems", "to another system")
		} else {
			admintest.Wants(t, page, dashboard, "Open the log")
		}
		admintest.Lacks(t, viewer.Get(d.At(""), 200), "to other systems", "to another system")
	}
	says("Nothing waits. Delivered by ", "")
	d.Session(models.NewSession{Title: "One"})
	says("1 delivery is on the way.", "")
	modelstest.Must(d.Outbox.FanOut(t.Context(), false, 10))(t)
	d.Clock.Move(time.Minute)
	says("1 delivery waits, for 1 minute.", "delivery to another system waits, for 1 minute")
	d.Session(models.NewSession{Title: "Two"})
	d.Clock.Move(4 * time.Hour)
	says("2 deliveries wait, the oldest for 4 hours.", "deliveries to other systems wait, the oldest for 4 hours")
	for range 2 {
		deliver(d, endpoint, "Rejected", ended(outbox.Failure, outbox.StatusError, 404, ""))
	}
	says("2 deliveries are on the way. 2 deliveries of the last hour reached nobody.", "")
}

func TestDeliveryLogHasPagesAndShortensBodies(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	endpoint, _ := modelstest.NewEndpoint(t, d.Webhooks(), "https://example.org/hook")
	for i := range webhooks.RoundsAPage {
		deliver(d, endpoint, fmt.Sprint("Session ", i), ended(outbox.Success, "", 204, ""))
	}
	ctx := t.Context()
	d.Session(models.NewSession{Title: "Long",
		SessionInput: models.SessionInput{Description: new(strings.Repeat("long ", 2000) + "the very end")}})
	modelstest.Must(d.Outbox.FanOut(ctx, false, 100))(t)
	long := modelstest.Must(d.NextRound(ctx, endpoint.ID, "", nil))(t)
	admintest.Wants(t, b.Get("/admin/deliveries", 200), "1 to 25 of 26 deliveries", "?page=2", "Show all of it")
	admintest.Lacks(t, b.Text, "the very end")
	admintest.Wants(t, b.Get("/admin/deliveries?page=2", 200), "26 to 26 of 26", "Session 0")
	admintest.Wants(t, b.Get("/admin/deliveries?emission="+long.Delivery.EmissionID, 200), "the very end")
}

func TestDeliveriesOfOthersAreNotThere(t *testing.T) {
	d := admintest.Open(t)
	_, _, theirs := admintest.Stranger(d)
	ctx := t.Context()
	d.Foreign(models.NewSession{Title: "Their session"})
	modelstest.Must(d.Outbox.FanOut(ctx, false, 100))(t)
	round := modelstest.Must(d.NextRound(ctx, theirs.ID, "", nil))(t)
	b := d.As(staff.Owner)
	for _, query := range []string{"", "?endpoint=" + theirs.ID, "?event=" + d.Other.ID, "?emission=" +
		round.Delivery.EmissionID} {
		admintest.Lacks(t, b.Get("/admin/deliveries"+query, 200), "Their session", "strangers.example")
	}
}
