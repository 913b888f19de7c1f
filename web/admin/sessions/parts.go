package sessions

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// composition fills in what a record's page shows of its composition.
func composition(v *visit.Visit, p *pages.Page, s *models.Session) error {
	sources, err := sources(v, s)
	if err != nil {
		return err
	}
	p.Composed = composedOf(v, s, sources)
	may := v.May(staff.Organizer) && s.DeletedAt == nil
	if s.IsAbstract {
		unfit := []models.Status{models.Draft, models.Declined, models.Withdrawn}
		if may && len(p.Composed) == 0 && !slices.Contains(unfit, s.Status) {
			p.Compose = lists.ComposeAt(v, s.ID)
		}
		return nil
	}
	p.Parts = parts(v, s, sources)
	if may {
		p.Parts.Arrange = v.At("/compose?into=" + s.ID)
		p.Parts.Detach, p.Parts.Relink = v.At("/sessions/"+s.ID+"/detach")+p.Query, v.At("/sessions/"+s.ID+"/link")+p.Query
	}
	return nil
}

// parts returns the submissions of a programme session, each with its start as long as all before it have minutes.
func parts(v *visit.Visit, s *models.Session, sources []*models.Session) *pages.PartsPart {
	p := &pages.PartsPart{}
	sum, known, open := 0, true, 0
	for _, source := range sources {
		row := pages.PartRow{Label: source.FriendlyID, Title: source.Title, By: NamesOn(source),
			Status: string(source.Status),
			URL:    v.At("/sessions/" + source.ID)}
		if s.StartsAt != nil && known && len(sources) > 1 {
			row.From = s.StartsAt.In(v.Event.Location()).Add(time.Duration(sum) * time.Minute).Format("15:04")
		}
		if source.PartMinutes != nil {
			row.Minutes = strconv.Itoa(*source.PartMinutes) + " min"
			sum += *source.PartMinutes
		} else {
			known = false
			open++
		}
		p.Rows = append(p.Rows, row)
	}
	if sum > 0 && len(sources) > 1 {
		p.Minutes = strconv.Itoa(sum) + " min in all"
		if open > 0 {
			p.Minutes += ", and " + visit.Counted(int64(open), "part", "parts") + " without minutes"
		}
	}
	if len(sources) == 1 && s.CompositionStatus.SourceCount == 1 {
		label := map[bool]*string{true: &p.Linked, false: &p.Alone}[s.CompositionStatus.IsLinked]
		*label = sources[0].FriendlyID
	}
	return p
}

// sources returns the submissions that a session is made of.
func sources(v *visit.Visit, s *models.Session) ([]*models.Session, error) {
	if s.CompositionStatus.SourceCount == 0 {
		return nil, nil
	}
	return v.Programme.Sources(v.UserContext(), s.ID)
}

// composed returns the records on the other side of a composition.
func composed(v *visit.Visit, s *models.Session) ([]records.Record, error) {
	sources, err := sources(v, s)
	return composedOf(v, s, sources), err
}

func composedOf(v *visit.Visit, s *models.Session, sources []*models.Session) (others []records.Record) {
	add := func(id, friendlyID, title string, inTrash bool) {
		others = append(others, records.Record{Label: friendlyID, Name: friendlyID + " " + title,
			URL: v.At("/sessions/" + id), InTrash: inTrash})
	}
	if target := s.CompositionStatus.Target; target != nil {
		add(target.ID, target.FriendlyID, target.Title, target.InTrash)
	}
	for _, source := range sources {
		add(source.ID, source.FriendlyID, source.Title, false)
	}
	return others
}

// sharesText returns the submission that shares its title and description with a session, an empty record for none.
func sharesText(v *visit.Visit, s *models.Session) (records.Record, error) {
	if s.IsAbstract || !s.CompositionStatus.IsLinked {
		return records.Record{}, nil
	}
	composed, err := composed(v, s)
	if err != nil || len(composed) == 0 {
		return records.Record{}, err
	}
	return composed[0], nil
}

// alsoChanged says that a change of a session's text changed the submission's too; "" where it did not.
func alsoChanged(v *visit.Visit, now, was *models.Session) (string, error) {
	if now.Title == was.Title && now.Description == was.Description {
		return "", nil
	}
	shared, err := sharesText(v, now)
	if err != nil || shared.URL == "" {
		return "", err
	}
	return " The text of " + shared.Label + " changed too.", nil
}

// NamesOn joins the names of the people on a session.
func NamesOn(s *models.Session) string {
	return strings.Join(visit.Names(s.Participants), ", ")
}
