package people_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestAnOrganizerRestoresABiography(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Tides"})
	ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
	for _, about := range []string{"<p>Sails <b>far</b>.</p>", "<p>Rows far.</p>"} {
		modelstest.Must(people.In(d.Programme().Directory()).Update(t.Context(), ada,
			people.Change{Values: map[string]string{"about": about}}))(t)
	}
	at := d.At("/speakers/" + ada)
	admintest.Wants(t, b.Get(at, 200), at+"/biography")
	admintest.Wants(t, b.Get(at+"/biography", 200), ">Sails<", ">Rows<", "The text now", "Without a text.",
		"The first that is known")
	form := admintest.Fill(b.Hidden("updated_at"), "version", models.FirstVersion)
	admintest.Wants(t, b.Follow(b.Post(at+"/biography", form, 303)), "The biography is again that of")
	admintest.Wants(t, b.Follow(b.Post(at+"/biography", form, 303)), "so nothing was restored")
	form.Set("updated_at", "")
	b.Post(at+"/biography", form, 403)
	modelstest.Want(t, "it is", modelstest.Must(d.Programme().Contact(t.Context(), ada))(t).About, "")
}
