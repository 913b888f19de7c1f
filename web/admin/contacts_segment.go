package admin

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
	"lectern/views/pages"
	"lectern/web/page"
)

// tabbedSegments is how many segments have a tab; the menu has all.
const tabbedSegments = 6

// keeper is this person, as lists of people know them.
func (v *visit) keeper() people.Keeper {
	return people.Keeper{UserID: v.user.ID, Team: v.mayChangePeople()}
}

// segmentOf is one of those that this person sees, nil for none.
func (r *roster) segmentOf(id string) *people.Segment {
	if i := slices.IndexFunc(r.segments, func(s *people.Segment) bool { return s.ID == id }); i >= 0 {
		return r.segments[i]
	}
	return nil
}

// unsegmented is a query without the segment that it comes from.
func unsegmented(query url.Values) url.Values {
	query = maps.Clone(query)
	query.Del("segment")
	return query
}

// keeps is what a segment keeps of the list: all but the page, with its columns.
func (r *roster) keeps() string {
	columns, _ := r.columns()
	kept := listing{query: unsegmented(r.l.query)}
	kept.set("columns", strings.Join(keysOfColumns(columns), ","))
	return kept.view()
}

// postedRoster is the list that a form on a list carries along.
func (v *visit) postedRoster() (*roster, error) {
	query, _ := url.ParseQuery(v.Value("query"))
	return v.rosterOf(query)
}

// showSegment is the list that is kept under a name.
func showSegment(v *visit, s *people.Segment) error {
	query, _ := url.ParseQuery(s.Query)
	query.Set("segment", s.ID)
	query.Set("page", v.Query("page"))
	r, err := v.rosterOf(query)
	if err != nil {
		return err
	}
	return r.list(http.StatusOK, segmentForm{})
}

// segment is the one of the address.
func segment(v *visit) (*people.Segment, error) {
	return people.In(v.peopleHere()).Segment(v.UserContext(), v.keeper(), v.Params("segment"))
}

// peopleHere are the people that the address is about: those of its event, or the organization's.
func (v *visit) peopleHere() *models.Directory {
	if v.event != nil {
		return v.programme.Directory()
	}
	return v.directory()
}

// peoplePath is where their list is.
func (v *visit) peoplePath() string {
	if v.event != nil {
		return v.at("/speakers")
	}
	return contactsPath
}

// segmentForm is what came with a form that was refused.
type segmentForm struct {
	name   string
	shared bool
	open   bool
	faults components.Faults
}

// segmentMenu are all segments, what can be done with the present one, and the form that keeps the list.
func (r *roster) segmentMenu(form segmentForm) pages.Segments {
	m := pages.Segments{Base: r.base, Query: r.l.query.Encode(), Token: r.FormToken(), Name: form.name, Shared: form.shared,
		Open: form.open, Faults: form.faults, MayShare: r.mayChangePeople()}
	for _, s := range r.segments {
		m.All = append(m.All, pages.Segment{Name: s.Name, URL: r.base + "/segments/" + s.ID, Shared: s.IsShared(),
			Current: r.segment != nil && s.ID == r.segment.ID})
	}
	if r.segment == nil {
		return m
	}
	m.Current = &pages.SegmentShown{Name: r.segment.Name, URL: r.base + "/segments/" + r.segment.ID,
		IsChanged: !r.isKept, MayChange: !r.segment.IsShared() || r.mayChangePeople(), UpdatedAt: r.segment.UpdatedAt.String()}
	return m
}

// addSegment keeps the list under a name.
func addSegment(v *visit) error {
	r, err := v.postedRoster()
	if err != nil {
		return err
	}
	in := people.SegmentInput{Name: v.Value("name"), Query: r.keeps(), IsShared: v.Value("shared") != ""}
	var s *people.Segment
	err = v.Once(func(ctx context.Context) (string, error) {
		if s, err = people.In(r.directory).AddSegment(ctx, v.keeper(), in); err != nil {
			return "", err
		}
		return r.base + "/segments/" + s.ID, nil
	})
	if err != nil {
		return v.Again(err, func(status int) error {
			return r.list(status, segmentForm{name: in.Name, shared: in.IsShared, open: true, faults: v.Faults})
		})
	}
	text := "“" + cut(s.Name) + "” is kept"
	if s.IsShared() {
		text += " for the team"
	}
	return v.See(r.base+"/segments/"+s.ID, text+".")
}

// updateSegment keeps the list as it is shown in the segment that it comes from.
func updateSegment(v *visit, s *people.Segment) error {
	r, err := v.postedRoster()
	if err != nil {
		return err
	}
	in := people.SegmentInput{Name: s.Name, Query: r.keeps(), IsShared: s.IsShared()}
	token, _ := store.ParseTime(v.Value("updated_at")) // none is as good as an old one
	address := r.base + "/segments/" + s.ID
	_, err = people.In(r.directory).ChangeSegment(v.UserContext(), v.keeper(), s.ID, in, &token)
	if store.KindOf(err) == store.Stale {
		v.KeepNotice("warn", "Somebody else changed “"+cut(s.Name)+"” meanwhile, so it was left as it is. Look at it, then save yours again.")
		return v.See(r.base+"?"+r.l.query.Encode(), "")
	}
	return v.Done(err, address, "“"+cut(s.Name)+"” keeps this list now.")
}

func editSegmentForm(v *visit, s *people.Segment) error {
	return v.segmentEditor(http.StatusOK, s, people.SegmentInput{Name: s.Name, IsShared: s.IsShared()}, nil)
}

func (v *visit) segmentEditor(status int, s *people.Segment, in people.SegmentInput, c *components.Conflict) error {
	v.section = v.peoplePath()
	address := v.section + "/segments/" + s.ID
	if s.IsShared() && !v.keeper().Team {
		return store.Missing("An organizer changes this segment, for the whole team has it.")
	}
	return show(v, status, "Segment "+s.Name, pages.SegmentEditor, pages.SegmentPage{Action: address + "/edit", Cancel: address,
		Delete: address + "/delete", Name: in.Name, Shared: in.IsShared, MayShare: v.mayChangePeople(), Conflict: c,
		UpdatedAt: s.UpdatedAt.String(), First: []components.Hidden{{Name: "name", Value: s.Name},
			{Name: "shared", Value: yes(s.IsShared())}}})
}

// yes is how a form says that something is so.
func yes(is bool) string { return map[bool]string{true: "yes"}[is] }

// editSegment gives a segment another name, or lets others have it.
func editSegment(v *visit, s *people.Segment) error {
	in := people.SegmentInput{Name: v.Value("name"), Query: s.Query, IsShared: v.Value("shared") != ""}
	token, _ := store.ParseTime(v.Value("updated_at"))
	now, err := people.In(v.peopleHere()).ChangeSegment(v.UserContext(), v.keeper(), s.ID, in, &token)
	if store.KindOf(err) == store.Stale {
		said := func(value string) string {
			return map[bool]string{true: "All of the team", false: "Only you"}[value != ""]
		}
		c, err := v.conflict(s.ID, s.UpdatedAt, []page.Edited{
			{Name: "name", Label: "Name", Was: v.FirstValue("name"), Mine: in.Name, Theirs: s.Name},
			{Name: "shared", Label: "Who has it", Was: v.FirstValue("shared"), Mine: yes(in.IsShared), Theirs: yes(s.IsShared()), Show: said}})
		if err != nil {
			return err
		}
		c.Action = v.Path()
		c.Discard = c.Action
		return v.segmentEditor(http.StatusConflict, s, in, c)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.segmentEditor(status, s, in, nil) })
	}
	return v.See(strings.TrimSuffix(v.Path(), "/edit"), "“"+cut(now.Name)+"” is saved.")
}

// deleteSegment deletes one, which can be taken back.
func deleteSegment(v *visit, s *people.Segment) error {
	gone, err := people.In(v.peopleHere()).DeleteSegment(v.UserContext(), v.keeper(), s.ID)
	if err != nil {
		return err
	}
	base := v.peoplePath()
	undo := []components.Hidden{{Name: "name", Value: gone.Name}, {Name: "query", Value: gone.Query}}
	if gone.IsShared() {
		undo = append(undo, components.Hidden{Name: "shared", Value: "yes"})
	}
	return v.SeeUndo(base, "“"+cut(gone.Name)+"” is deleted; the people stay.", base+"/segments", undo...)
}
