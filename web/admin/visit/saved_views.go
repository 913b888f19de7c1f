package visit

import (
	"net/url"

	"lectern/models/desk"
	"lectern/views/components"
	"lectern/views/toolbar"
)

// ViewForm is the form that saves a view of a list.
type ViewForm struct {
	Name           string
	Shared, Viewed bool // Viewed: the form was sent and refused
}

// SentView reads the form that saves a view.
func (v *Visit) SentView() ViewForm { return ViewForm{v.Value("name"), v.Value("shared") != "", true} }

// SavedViews returns this user's saved views of a page, and the form that saves the list as it is now. of reads a saved
// query, and tells whether this user may use it.
func (v *Visit) SavedViews(page string, now Listing, form ViewForm, of func(url.Values) (Listing, bool)) (toolbar.SavedViews, error) {
	base := v.At("/" + page)
	shown := toolbar.SavedViews{Base: base, Query: now.View(), Token: v.FormToken(), Name: form.Name, Shared: form.Shared,
		Open: form.Viewed}
	if form.Viewed {
		shown.Faults = v.Faults
	}
	views, err := desk.Of(v.Programme).SavedViews(v.UserContext(), v.User.ID, page)
	for _, view := range views {
		query, _ := url.ParseQuery(view.Query)
		kept, may := of(query)
		if !may {
			continue // shared by an organizer, for organizers only
		}
		row := toolbar.SavedView{Name: view.Name, URL: base + kept.Address(), Shared: view.IsShared, Current: kept.View() == now.View()}
		if view.UserID == v.User.ID {
			row.Delete = base + "/views/" + view.ID + "/delete"
		}
		shown.Views = append(shown.Views, row)
	}
	return shown, err
}

// KeepView saves a list under the name that was sent, and leads back to it. It passes on the errors of desk's SaveView.
func (v *Visit) KeepView(page string, l Listing, form ViewForm) error {
	_, err := desk.Of(v.Programme).SaveView(v.UserContext(), v.User.ID, desk.NewSavedView{Page: page, Name: form.Name,
		Query:    l.View(),
		IsShared: form.Shared})
	return v.Done(err, v.At("/"+page)+l.Address(), "The view "+form.Name+" is kept.")
}

// DropView deletes the view of the path, offers to undo that, and leads to the list l.
func (v *Visit) DropView(l Listing) error {
	gone, err := desk.Of(v.Programme).DeleteView(v.UserContext(), v.User.ID, v.Params("view"))
	if err != nil {
		return err
	}
	undo := []components.Hidden{{Name: "name", Value: gone.Name}, {Name: "query", Value: gone.Query}}
	if gone.IsShared {
		undo = append(undo, components.Hidden{Name: "shared", Value: "yes"})
	}
	base := v.At("/" + gone.Page)
	return v.SeeUndo(base+l.Address(), "The view "+gone.Name+" is deleted.", base+"/views", undo...)
}

// Address returns the query with its ?, "" for the whole list.
func (l Listing) Address() string {
	if len(l.Query) == 0 {
		return ""
	}
	return "?" + l.Query.Encode()
}
