package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSavedViews(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		user := func(name string) string {
			return modelstest.Must(f.Staff.CreateUser(t.Context(),
				staff.NewUser{Email: name + "@example.org", Name: name, Role: staff.Organizer, Password: "correct horse"}))(t).ID
		}
		ada, bob, p := user("ada"), user("bob"), f.Programme()
		save := func(user, page, name string, shared bool) *desk.SavedView {
			t.Helper()
			return modelstest.Must(desk.Of(p).SaveView(t.Context(), user,
				desk.NewSavedView{Page: page, Name: name, Query: "status=" + name, IsShared: shared}))(t)
		}
		own := save(ada, "submissions", "mine", false)
		save(ada, "submissions", " Also mine ", true)
		save(ada, "sessions", "mine", false)
		shared := save(bob, "submissions", "a shared one", true)
		hidden := save(bob, "submissions", "mine", false)
		elsewhere := modelstest.Must(desk.Of(f.Elsewhere()).SaveView(t.Context(), ada,
			desk.NewSavedView{Page: "submissions", Name: "mine", IsShared: true}))(t)
		names := func(user, page string) string {
			names := store.Map(modelstest.Must(desk.Of(p).SavedViews(t.Context(), user, page))(t),
				func(v *desk.SavedView) string { return fmt.Sprintf("%s %t", v.Name, v.UserID == user) })
			return strings.Join(names, ", ")
		}
		modelstest.Want(t, "names", names(ada, "submissions"), "Also mine true, mine true, a shared one false")
		modelstest.Want(t, "names", names(bob, "submissions"), "a shared one true, mine true, Also mine false")
		modelstest.Want(t, "names", names(store.NewID(), "submissions"), "a shared one false, Also mine false")
		modelstest.Want(t, "names", names(ada, "contacts"), "")
		for _, id := range []string{shared.ID, hidden.ID, elsewhere.ID, store.NewID(), "x"} {
			modelstest.Answers(desk.Of(p).DeleteView(t.Context(), ada, id))(t, id, store.NotFound)
		}
		if gone, err := desk.Of(p).DeleteView(t.Context(), ada, own.ID); err != nil || gone.Name != own.Name ||
			names(ada, "submissions") != "Also mine true, a shared one false" {
			t.Error(err, names(ada, "submissions"))
		}
	})
}

func TestSavedViewsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.Must(f.Staff.CreateUser(t.Context(),
			staff.NewUser{Email: "ada@example.org", Name: "Ada", Role: staff.Viewer, Password: "correct horse"}))(t).ID
		p := f.Programme()
		modelstest.Must(desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p", Name: "n",
			Query: strings.Repeat("é", 2000)}))(t)
		for field, n := range map[string]desk.NewSavedView{
			"page":  {Page: "", Name: "x"},
			"name":  {Page: "p", Name: " n "},
			"query": {Page: "p", Name: "x", Query: strings.Repeat("x", 2001)},
		} {
			v, err := desk.Of(p).SaveView(t.Context(), ada, n)
			if e, ok := err.(*store.Error); !ok || e.Kind != store.Invalid || e.Fields[0].Field != field || v != nil {
				t.Errorf("%s: %v", field, err)
			}
		}
		for _, user := range []string{store.NewID(), "", "x"} {
			modelstest.Answers(desk.Of(p).SaveView(t.Context(), user, desk.NewSavedView{Page: "p", Name: "x"}))(t, user,
				store.NotFound)
		}
		for i := range desk.MaxSavedViews - 1 {
			modelstest.Must(desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p", Name: fmt.Sprint(i)}))(t)
		}
		if _, err := desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p",
			Name: "one more"}); store.KindOf(err) != store.Invalid {
			t.Error(err)
		}
	})
}
