package admin

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// savedViews are those of this person and list, and the form that keeps what is filtered now.
func (v *visit) savedViews(l sessionList, form formOnList) (templ.Component, error) {
	views, err := v.programme.SavedViews(v.UserContext(), v.user.ID, l.kind)
	if err != nil {
		return nil, err
	}
	base := v.at("/" + l.kind)
	shown := pages.SavedViews{Base: base, Query: l.view(), Token: v.FormToken(), Name: form.view, Shared: form.shared,
		Open: form.viewing}
	if form.viewing {
		shown.Faults = v.Faults
	}
	for _, view := range views {
		query, _ := url.ParseQuery(view.Query)
		kept := v.listingOf(l.kind, query)
		if !v.mayUse(kept) {
			continue // shared by an organizer, for organizers
		}
		row := pages.SavedView{Name: view.Name, URL: v.listAt(kept), Shared: view.IsShared, Current: kept.view() == l.view()}
		if view.UserID == v.user.ID {
			row.Delete = base + "/views/" + view.ID + "/delete"
		}
		shown.Views = append(shown.Views, row)
	}
	return pages.ListViews(shown), nil
}

// mayUse tells whether a view asks for nothing that others alone may know.
func (v *visit) mayUse(kept sessionList) bool {
	return !slices.ContainsFunc([]string{"score", "sort", "columns"}, func(name string) bool {
		value := kept.query.Get(name)
		return value != "" && v.allowed(kept.kind, name, value) != value
	})
}

func saveView(v *visit, kind string) error {
	l, err := v.validListing(v.posted(kind))
	if err != nil {
		return err
	}
	form := formOnList{view: v.Value("name"), shared: v.Value("shared") != "", viewing: true}
	_, err = v.programme.SaveView(v.UserContext(), v.user.ID, models.NewSavedView{Page: kind, Name: form.view, Query: l.view(),
		IsShared: form.shared})
	if err == nil {
		return v.See(v.listAt(l), "The view "+form.view+" is kept.")
	}
	return v.Again(err, func(status int) error { return v.list(status, l, form) })
}

func deleteView(v *visit, kind string) error {
	gone, err := v.programme.DeleteView(v.UserContext(), v.user.ID, v.Params("view"))
	if err != nil {
		return err
	}
	undo := []components.Hidden{{Name: "name", Value: gone.Name}, {Name: "query", Value: gone.Query}}
	if gone.IsShared {
		undo = append(undo, components.Hidden{Name: "shared", Value: "yes"})
	}
	return v.SeeUndo(v.listAt(v.posted(kind)), "The view "+gone.Name+" is deleted.", v.at("/"+gone.Page+"/views"), undo...)
}
