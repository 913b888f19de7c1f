package lists

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// savedViews returns this user's saved views of a list, and the form that saves the present one.
func savedViews(v *visit.Visit, l List, form formOnList) (templ.Component, error) {
	shown, err := v.SavedViews(l.Kind, l.Listing, form.view, func(query url.Values) (visit.Listing, bool) {
		kept := From(v, l.Kind, query)
		return kept.Listing, mayUse(v, kept)
	})
	return toolbar.Views(shown), err
}

// mayUse tells whether a view asks only for what this user may know.
func mayUse(v *visit.Visit, kept List) bool {
	return !slices.ContainsFunc([]string{"score", "sort", "columns"}, func(name string) bool {
		value := kept.Query.Get(name)
		return value != "" && allowed(v, kept.Kind, name, value) != value
	})
}

func saveView(v *visit.Visit, kind string) error {
	l, err := Valid(v, posted(v, kind))
	if err != nil {
		return err
	}
	form := formOnList{view: v.SentView()}
	if err = v.KeepView(kind, l.Listing, form.view); err == nil {
		return nil
	}
	return v.Again(err, func(status int) error { return list(v, status, l, form) })
}

func deleteView(v *visit.Visit, kind string) error { return v.DropView(posted(v, kind).Listing) }
