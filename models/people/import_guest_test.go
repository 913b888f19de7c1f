package people_test

import (
	"bytes"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAGuestComesToTheNextEventAsAGuestByAFileToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		_, _, err := people.Of(f.Elsewhere()).AddPerson(ctx, people.Change{Values: map[string]string{"first_name": "Marker",
			"email": "marker@example.org", "phone": "+44 555 1234"}})
		modelstest.Fine(t, err)
		file := []byte("First name,Email\nM,marker@example.org\n")
		bring := func(p *models.Programme) *people.ImportCheck {
			return modelstest.Must(people.Of(p).ImportContacts(ctx, "people.csv", bytes.NewReader(file), people.ImportFill,
				false))(t)
		}
		if done := bring(f.Store.Programme(f.Event, modelstest.Tester)); done.Created != 1 {
			t.Errorf("at the first event: %+v", done.ContactImport)
		}
		next := modelstest.Must(f.CreateEvent(ctx, models.NewEvent{Name: "Next", Slug: "next", Timezone: "UTC"}))(t)
		p := f.Store.Programme(next, modelstest.Tester).Reaching(models.PeopleOf(f.Event.ID, next.ID))
		if done := bring(p); done.Updated != 1 { // they are seen at the first event, so the import may say so
			t.Errorf("at the next one: %+v", done.ContactImport)
		}
		x := modelstest.Must(p.Directory().Person(ctx, modelstest.PersonBy(t, f, "marker@example.org").ID))(t)
		if !x.IsGuest || x.Phone != "" || x.Here.GuestSince == nil || *x.Here.GuestSince == (store.Time{}) {
			t.Errorf("shown is %+v since %v", x.Phone, x.Here.GuestSince)
		}
	})
}
