package admin

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/admin/visit"
)

// savedViews are those of this person and list, and the form that keeps what is filtered now.
func savedViews(v *visit.Visit, l sessionList, form formOnList) (templ.Component, error) {
	views, err := v.Programme.SavedViews(v.UserContext(), v.User.ID, l.Kind)
	if err != nil {
		return nil, err
	}
	base := v.At("/" + l.Kind)
	shown := pages.SavedViews{Base: base, Query: l.View(), Token: v.FormToken(), Name: form.view, Shared: form.shared,
		Open: form.viewing}
	if form.viewing {
		shown.Faults = v.Faults
	}
	for _, view := range views {
		query, _ := url.ParseQuery(view.Query)
		kept := listingOf(v, l.Kind, query)
		if !mayUse(v, kept) {
			continue // shared by an organizer, for organizers
		}
		row := pages.SavedView{Name: view.Name, URL: listAt(v, kept), Shared: view.IsShared, Current: kept.View() == l.View()}
		if view.UserID == v.User.ID {
			row.Delete = base + "/views/" + view.ID + "/delete"
		}
		shown.Views = append(shown.Views, row)
	}
	return pages.ListViews(shown), nil
}

// mayUse tells whether a view asks for nothing that others alone may know.
func mayUse(v *visit.Visit, kept sessionList) bool {
	return !slices.ContainsFunc([]string{"score", "sort", "columns"}, func(name string) bool {
		value := kept.Query.Get(name)
		return value != "" && allowed(v, kept.Kind, name, value) != value
	})
}

func saveView(v *visit.Visit, kind string) error {
	l, err := validListing(v, posted(v, kind))
	if err != nil {
		return err
	}
	form := formOnList{view: v.Value("name"), shared: v.Value("shared") != "", viewing: true}
	_, err = v.Programme.SaveView(v.UserContext(), v.User.ID, models.NewSavedView{Page: kind, Name: form.view,
		Query:    l.View(),
		IsShared: form.shared})
	if err == nil {
		return v.See(listAt(v, l), "The view "+form.view+" is kept.")
	}
	return v.Again(err, func(status int) error { return list(v, status, l, form) })
}

func deleteView(v *visit.Visit, kind string) error {
	gone, err := v.Programme.DeleteView(v.UserContext(), v.User.ID, v.Params("view"))
	if err != nil {
		return err
	}
	undo := []components.Hidden{{Name: "name", Value: gone.Name}, {Name: "query", Value: gone.Query}}
	if gone.IsShared {
		undo = append(undo, components.Hidden{Name: "shared", Value: "yes"})
	}
	return v.SeeUndo(listAt(v, posted(v, kind)), "The view "+gone.Name+" is deleted.", v.At("/"+gone.Page+"/views"),
		undo...)
}
