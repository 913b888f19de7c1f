package sessions

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// textForm is the editor of a title and a description, with the token of the record, and that of the record that shares
// them, "" for none.
type textForm struct{ title, description, token, other string }

func textFormOf(s, other *models.Session) textForm {
	f := textForm{title: s.Title, description: s.Description, token: s.UpdatedAt.String()}
	if other != nil {
		f.other = other.UpdatedAt.String()
	}
	return f
}

func editTextForm(v *visit.Visit, s *models.Session) error {
	other, err := v.Programme.Counterpart(v.UserContext(), s)
	if err != nil {
		return err
	}
	f := textFormOf(s, other)
	return textEditor(v, http.StatusOK, s, other, f, f, nil, nil)
}

// editText saves a title and a description on both records that share them, if neither was changed since. It first
// shows what cleaning would remove from the description.
func editText(v *visit.Visit, s *models.Session) error {
	html := func(name string) string { return strings.ReplaceAll(v.FormValue(name), "\r\n", "\n") }
	f := textForm{v.Value("title"), html("description"), v.Value("updated_at"), v.Value("other_updated_at")}
	was := textForm{v.FirstValue("title"), html(components.FirstPrefix + "description"), f.token, f.other}
	c := models.TextChange{Title: &f.title}
	var lost []LostMarkup
	if f.description != was.description {
		c.Description = new(store.Paragraphs(f.description))
		lost = LosesMarkup(f.description)
	}
	for _, token := range []struct {
		sent string
		to   **store.Time
	}{{f.token, &c.UpdatedAt}, {f.other, &c.OtherUpdatedAt}} {
		at, err := store.ParseTime(token.sent)
		if err == nil {
			*token.to = &at
		} else if token.sent != "" || token.to == &c.UpdatedAt {
			return page.OldForm
		}
	}
	again := func(status int) error {
		other, err := v.Programme.Counterpart(v.UserContext(), s)
		if err != nil {
			return err
		}
		return textEditor(v, status, s, other, f, was, lost, nil)
	}
	if len(lost) > 0 && !KnowsLoss(v, f.description) {
		return again(http.StatusOK)
	}
	now, err := v.Programme.ChangeText(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return textConflict(v, f, was, lost)
	}
	if err != nil {
		return v.Again(err, again)
	}
	text, err := textSaved(v, now, s, lost)
	if err != nil {
		return err
	}
	return v.See(v.At("/sessions/"+s.ID)+lists.PlaceQuery(v), text)
}

// textSaved says what was saved on which records.
func textSaved(v *visit.Visit, now, was *models.Session, lost []LostMarkup) (string, error) {
	if now.Title == was.Title && now.Description == was.Description {
		return "Nothing was changed.", nil
	}
	text := "Saved."
	other, err := v.Programme.Counterpart(v.UserContext(), now)
	if err != nil {
		return "", err
	}
	if other != nil {
		text = "Saved on " + now.FriendlyID + " and " + other.FriendlyID + "."
	}
	if len(lost) > 0 {
		text += " Removed: " + LossInWords(lost) + "."
	}
	return text, nil
}

// textConflict shows the editor beside what somebody else changed meanwhile on either record.
func textConflict(v *visit.Visit, mine, was textForm, lost []LostMarkup) error {
	s, err := Live(v)
	if err != nil {
		return err
	}
	other, err := v.Programme.Counterpart(v.UserContext(), s)
	if err != nil {
		return err
	}
	theirs := textFormOf(s, other)
	fields := []page.Edited{
		{Name: "title", Label: "Title", Was: was.title, Mine: mine.title, Theirs: theirs.title},
		{Name: "description", Label: "Description", Was: was.description, Mine: mine.description, Theirs: theirs.description,
			Show: page.Lines},
	}
	c, err := v.Conflict(s.ID, s.UpdatedAt, fields)
	if err != nil {
		return err
	}
	switch {
	case (mine.other == "") != (theirs.other == ""):
		on := s.ID // a session's activity records the end of its link
		if target := s.CompositionStatus.Target; target != nil {
			on = target.ID
		}
		who, err := v.Tenant().LastChangeBy(v.UserContext(), on)
		if err != nil {
			return err
		}
		c.Who = cmp.Or(who, "Somebody") + map[bool]string{true: " detached it from the other record",
			false: " linked it to another record"}[theirs.other == ""]
	case theirs.token == mine.token && other != nil:
		if c.Who, err = v.WhoChanged(other.ID, []string{other.FriendlyID}, other.UpdatedAt); err != nil {
			return err
		}
	}
	merged := textForm{title: mine.title, description: mine.description, token: theirs.token, other: theirs.other}
	if mine.title == was.title {
		merged.title = theirs.title
	}
	if mine.description == was.description {
		merged.description = theirs.description
	}
	return textEditor(v, http.StatusConflict, s, other, merged, theirs, lost, c)
}

// textEditor shows the editor of a record's text; other is the record that shares the text, nil for none.
func textEditor(v *visit.Visit, status int, s, other *models.Session, f, was textForm, lost []LostMarkup,
	c *components.Conflict) error {
	from := lists.CameFrom(v, s)
	v.Section = v.At("/" + from.Kind)
	here := v.At("/sessions/" + s.ID)
	p := pages.TextPage{
		Record: records.Record{Label: s.FriendlyID, Name: s.FriendlyID + " " + s.Title, URL: here + from.From()},
		Action: here + "/text" + from.From(), Token: f.token, Other: f.other, TitleText: f.title, Text: f.description,
		First: components.First(components.Hidden{Name: "title", Value: was.title},
			components.Hidden{Name: "description", Value: was.description}),
		Removed: RemovedOnSave(f.description, lost), Conflict: c,
	}
	if c != nil {
		c.Clashes = slices.DeleteFunc(c.Clashes, func(clash components.Clash) bool { return clash.Untouched })
	}
	if other != nil {
		p.Shared = records.Record{Label: other.FriendlyID, Name: other.FriendlyID + " " + other.Title,
			URL: v.At("/sessions/" + other.ID)}
	}
	return visit.Show(v, status, "Edit the text of "+s.FriendlyID, pages.TextEditor, p)
}
