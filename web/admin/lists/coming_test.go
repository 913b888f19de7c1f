package lists_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// TestListsKnowWhoComes has a submission whose speaker comes, one with two speakers of whom one cannot, one without an
// answer, and a speaker who said no at another event.
func TestListsKnowWhoComes(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		p, ctx := d.Programme(), t.Context()
		add := func(title string, names ...string) (id string, people []string) {
			id = modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true}))(t).ID
			for _, name := range names {
				people = append(people, d.Speaker(t, d.Event, id, models.NewContact{FirstName: name, Email: name + "@x.org"}))
			}
			modelstest.SetStatus(t, p, id, models.Accepted)
			return id, people
		}
		sure, surely := add("Surely", "Sue")
		half, halves := add("Halfway", "Hal", "Han")
		_, silent := add("Silent", "Sil")
		far := d.Foreign(models.NewSession{Title: "Far", IsAbstract: true})
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			for _, x := range []*call.Participation{{SessionID: sure, EventID: d.Event.ID, ContactID: surely[0], Answer: "yes"},
				{SessionID: half, EventID: d.Event.ID, ContactID: halves[0], Answer: "yes"},
				{SessionID: half, EventID: d.Event.ID, ContactID: halves[1], Answer: "no", Reason: "PRIVATE"},
				{SessionID: far.ID, EventID: d.Other.ID, ContactID: silent[0], Answer: "no"}} {
				x.AnsweredAt = tx.Now
				if err := tx.Create(x).Error; err != nil {
					return err
				}
			}
			return nil
		}))
		olga := d.As(staff.Organizer)
		for query, want := range map[string]string{"yes": "Surely", "no": "Halfway", "none": "Silent"} {
			page := admintest.Body(olga.Get(d.At("/submissions.csv?coming="+query), 200))
			for _, title := range []string{"Surely", "Halfway", "Silent"} {
				modelstest.Want(t, query+" finds", strings.Contains(page, title), title == want)
			}
		}
		admintest.Wants(t, olga.Get(d.At("/submissions?columns=coming"), 200), "Participation", "Comes", "1 comes, 1 cannot")
		admintest.Wants(t, olga.Get(d.At("/submissions.csv?columns=coming"), 200), "Participation", "1 comes, 1 cannot")
		admintest.Lacks(t, olga.Text, "PRIVATE")
		for query, want := range map[string]string{"yes": "Sue Hal", "no": "Han", "none": "Sil"} {
			page := olga.Get(d.At("/speakers.csv?who=all&columns=coming&coming="+query), 200)
			for _, name := range []string{"Sue", "Hal", "Han", "Sil"} {
				modelstest.Want(t, "people who "+query+" are", strings.Contains(page, name+"@x.org"), strings.Contains(want, name))
			}
		}
		admintest.Wants(t, olga.Get(d.At("/speakers?who=all&columns=coming"), 200), "Participation", "Cannot come")
	})
}
