package people

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// tabbedSegments is how many segments have a tab; the menu lists all.
const tabbedSegments = 6

// keeper identifies the signed-in user to the operations on segments.
func keeper(v *visit.Visit) people.Keeper {
	return people.Keeper{UserID: v.User.ID, Team: mayChangePeople(v)}
}

// segmentOf returns the segment with this id if the user can see it, else nil.
func (r *roster) segmentOf(id string) *people.Segment {
	if i := slices.IndexFunc(r.segments, func(s *people.Segment) bool { return s.ID == id }); i >= 0 {
		return r.segments[i]
	}
	return nil
}

// unsegmented returns a query without the segment that it comes from.
func unsegmented(query url.Values) url.Values {
	query = maps.Clone(query)
	query.Del("segment")
	return query
}

// encoded encodes the list's filters, order and columns, without its page, for a segment to store.
func (r *roster) encoded() string {
	columns, _ := r.columns()
	kept := visit.Listing{Query: unsegmented(r.l.Query)}
	kept.Set("columns", strings.Join(keysOfColumns(columns), ","))
	return kept.View()
}

// postedRoster returns the list that a form on it carries along.
func postedRoster(v *visit.Visit) (*roster, error) {
	query, _ := url.ParseQuery(v.Value("query"))
	return rosterOf(v, query)
}

// showSegment shows the list that a segment stores.
func showSegment(v *visit.Visit, s *people.Segment) error {
	query, _ := url.ParseQuery(s.Query)
	query.Set("segment", s.ID)
	query.Set("page", v.Query("page"))
	r, err := rosterOf(v, query)
	if err != nil {
		return err
	}
	return r.list(http.StatusOK, visit.ViewForm{})
}

// segment reads the segment of the path.
func segment(v *visit.Visit) (*people.Segment, error) {
	return people.In(peopleHere(v)).Segment(v.UserContext(), keeper(v), v.Params("segment"))
}

// peopleHere returns the people of the path's event, or the organization's.
func peopleHere(v *visit.Visit) *models.Directory {
	if v.Event != nil {
		return v.Programme.Directory()
	}
	return v.Directory()
}

// peoplePath returns the path of the list of people.
func peoplePath(v *visit.Visit) string {
	if v.Event != nil {
		return v.At("/speakers")
	}
	return visit.ContactsPath
}

// segmentMenu returns all segments, what can be done with the present one, and the form that saves the list.
func (r *roster) segmentMenu(form visit.ViewForm) pages.Segments {
	m := pages.Segments{Base: r.base, Query: r.l.Query.Encode(), Token: r.FormToken(), Name: form.Name,
		Shared: form.Shared, Open: form.Viewed, Faults: r.Faults, MayShare: mayChangePeople(r.Visit)}
	for _, s := range r.segments {
		m.All = append(m.All, pages.Segment{Name: s.Name, URL: r.base + "/segments/" + s.ID, Shared: s.IsShared(),
			Current: r.segment != nil && s.ID == r.segment.ID})
	}
	if r.segment == nil {
		return m
	}
	m.Current = &pages.SegmentShown{Name: r.segment.Name, URL: r.base + "/segments/" + r.segment.ID,
		IsChanged: !r.isKept, MayChange: !r.segment.IsShared() || mayChangePeople(r.Visit),
		UpdatedAt: r.segment.UpdatedAt.String()}
	return m
}

// addSegment saves the list as a segment.
func addSegment(v *visit.Visit, r *roster) error {
	form := v.SentView()
	in := people.SegmentInput{Name: form.Name, Query: r.encoded(), IsShared: form.Shared}
	s, err := visit.Made(v, func(ctx context.Context) (*people.Segment, error) {
		return people.In(r.directory).AddSegment(ctx, keeper(v), in)
	}, func(s *people.Segment) string { return r.base + "/segments/" + s.ID })
	if err != nil {
		return v.Again(err, func(status int) error { return r.list(status, form) })
	}
	text := "“" + visit.Cut(s.Name) + "” is kept"
	if s.IsShared() {
		text += " for the team"
	}
	return v.See(r.base+"/segments/"+s.ID, text+".")
}

// updateSegment saves the list as it is shown in the segment that it comes from.
func updateSegment(v *visit.Visit, s *people.Segment) error {
	r, err := postedRoster(v)
	if err != nil {
		return err
	}
	in := people.SegmentInput{Name: s.Name, Query: r.encoded(), IsShared: s.IsShared()}
	token, _ := store.ParseTime(v.Value("updated_at")) // a missing token counts as stale
	address := r.base + "/segments/" + s.ID
	_, err = people.In(r.directory).ChangeSegment(v.UserContext(), keeper(v), s.ID, in, &token)
	if store.KindOf(err) == store.Stale {
		return v.SeeWarning(r.base+"?"+r.l.Query.Encode(),
			"Somebody else changed “"+visit.Cut(s.Name)+"” meanwhile, so it was left as it is. Look at it, then save yours again.")
	}
	return v.Done(err, address, "“"+visit.Cut(s.Name)+"” keeps this list now.")
}

// segmentFields are the fields of the form of a segment.
func segmentFields(s *people.Segment) []page.Edited {
	return []page.Edited{{Name: "name", Label: "Name", Theirs: s.Name},
		{Name: "shared", Label: "Who has it", Theirs: map[bool]string{true: "yes"}[s.IsShared()], Show: func(is string) string {
			return map[bool]string{true: "All of the team", false: "Only you"}[is != ""]
		}}}
}

func editSegmentForm(v *visit.Visit, s *people.Segment) error {
	return segmentEditor(v, http.StatusOK, s, page.Opened(s.UpdatedAt, segmentFields(s)))
}

func segmentEditor(v *visit.Visit, status int, s *people.Segment, e *page.Edit) error {
	v.Section = peoplePath(v)
	address := v.Section + "/segments/" + s.ID
	if s.IsShared() && !keeper(v).Team {
		return store.Missing("An organizer changes this segment, for the whole team has it.")
	}
	return visit.Show(v, status, "Segment "+s.Name, pages.SegmentEditor, pages.SegmentPage{Edit: e.Shown(),
		Action: address + "/edit", Cancel: address, Delete: address + "/delete", MayShare: mayChangePeople(v)})
}

// editSegment renames a segment, or changes who sees it.
func editSegment(v *visit.Visit, s *people.Segment) error {
	e := v.Sent(s.UpdatedAt, segmentFields(s))
	in := people.SegmentInput{Name: e.Of("name"), Query: s.Query, IsShared: e.Of("shared") != ""}
	now, err := people.In(peopleHere(v)).ChangeSegment(v.UserContext(), keeper(v), s.ID, in, e.Token)
	if err != nil {
		return v.Unsaved(err, e, s.ID, v.Path(), func(status int) error { return segmentEditor(v, status, s, e) })
	}
	return v.See(strings.TrimSuffix(v.Path(), "/edit"), "“"+visit.Cut(now.Name)+"” is saved.")
}

// deleteSegment deletes a segment, and offers to undo that.
func deleteSegment(v *visit.Visit, s *people.Segment) error {
	gone, err := people.In(peopleHere(v)).DeleteSegment(v.UserContext(), keeper(v), s.ID)
	if err != nil {
		return err
	}
	base := peoplePath(v)
	undo := []components.Hidden{{Name: "name", Value: gone.Name}, {Name: "query", Value: gone.Query}}
	if gone.IsShared() {
		undo = append(undo, components.Hidden{Name: "shared", Value: "yes"})
	}
	return v.SeeUndo(base, "“"+visit.Cut(gone.Name)+"” is deleted; the people stay.", base+"/segments", undo...)
}
