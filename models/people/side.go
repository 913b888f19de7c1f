package people

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// side is one person with everything that a merge compares or moves, at every event.
type side struct {
	*models.Person
	AtEvents map[string]*models.EventContact // by event
	Tagged   map[string][]string             // tag ids, by event
	Seats    []*MergedSeat
	Aliases  []*models.ContactAlias
	Notes    []*models.ContactNote
	Cards    []*Card
}

// MergedSeat is somebody's place on a session of any event, deleted ones too.
type MergedSeat struct {
	EventID, SessionID, FriendlyID, Title string
	Role                                  models.Role
	Position                              int
	IsDeleted                             bool
	ContactID                             string
}

// sides returns people of this directory with everything that a merge needs, by id.
func (d *Directory) sides(db *gorm.DB, ids ...string) (map[string]*side, error) {
	people, err := d.WithoutEvent().PeopleFrom(d.Seen(db), db, ids)
	if err != nil {
		return nil, err
	}
	sides := map[string]*side{}
	for _, p := range people {
		sides[p.ID] = &side{Person: p, AtEvents: map[string]*models.EventContact{}, Tagged: map[string][]string{}}
	}
	return sides, fillSides(db, sides)
}

func fillSides(db *gorm.DB, sides map[string]*side) error {
	ids := slices.Sorted(maps.Keys(sides))
	var here []*models.EventContact
	var tags []models.ContactTag
	var seats []*MergedSeat
	var aliases []*models.ContactAlias
	var notes []*models.ContactNote
	var cards []*Card
	for _, err := range []error{
		db.Where("contact_id IN ?", ids).Order("contact_id, event_id").Find(&here).Error,
		db.Where("contact_id IN ?", ids).Order("contact_id, event_id, tag_id").Find(&tags).Error,
		db.Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id").Where("p.contact_id IN ?", ids).
			Select("p.event_id, p.session_id, s.friendly_id, s.title, p.role, p.position, p.contact_id, " +
				"s.deleted_at IS NOT NULL AS is_deleted").Order("p.event_id, s.is_abstract, s.number").Scan(&seats).Error,
		db.Where("contact_id IN ?", ids).Order("email_key").Find(&aliases).Error,
		db.Where("contact_id IN ?", ids).Order("created_at, id").Find(&notes).Error,
		db.Where("contact_id IN ?", ids).Order("event_id").Find(&cards).Error,
	} {
		if err != nil {
			return err
		}
	}
	for _, row := range here {
		sides[row.ContactID].AtEvents[row.EventID] = row
	}
	for _, tag := range tags {
		of := sides[tag.ContactID].Tagged
		of[tag.EventID] = append(of[tag.EventID], tag.TagID)
	}
	for _, seat := range seats {
		sides[seat.ContactID].Seats = append(sides[seat.ContactID].Seats, seat)
	}
	for _, alias := range aliases {
		sides[alias.ContactID].Aliases = append(sides[alias.ContactID].Aliases, alias)
	}
	for _, note := range notes {
		sides[note.ContactID].Notes = append(sides[note.ContactID].Notes, note)
	}
	for _, card := range cards {
		sides[card.ContactID].Cards = append(sides[card.ContactID].Cards, card)
	}
	return nil
}

// at returns the person with their fields at one event.
func (s *side) at(eventID string) *models.Person {
	return &models.Person{Contact: s.Contact, Own: s.Own, Files: s.Files, Here: s.AtEvents[eventID],
		Tags: s.Tagged[eventID]}
}

// version returns a hash that changes with everything that a merge of these people looks at.
func version(sides ...*side) string {
	sum := sha256.New()
	for _, s := range sides {
		fmt.Fprintln(sum, s.ID, s.UpdatedAt)
		for _, event := range slices.Sorted(maps.Keys(s.AtEvents)) {
			fmt.Fprintln(sum, event, s.AtEvents[event].UpdatedAt)
		}
		for _, seat := range s.Seats {
			fmt.Fprintln(sum, seat.SessionID, seat.Role, seat.Position)
		}
		for _, note := range s.Notes {
			fmt.Fprintln(sum, note.ID)
		}
		for _, alias := range s.Aliases {
			fmt.Fprintln(sum, alias.EmailKey, alias.Opens)
		}
		for _, card := range s.Cards {
			fmt.Fprintln(sum, card.EventID, card.StageID)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// mergeFact is a field in which two people may differ: of the profile, or of an event that both are at.
type mergeFact struct {
	name, label, event string // event is the event's id; "" for the profile
	isHTML             bool
	get                func(*side) string
	take               func(to, from *side)
}

// mergeFacts returns the fields of two people in the order in which pages show them.
func mergeFacts(fields []*models.ContactField, a, b *side) []mergeFact {
	facts := []mergeFact{{name: "name", label: "Name", get: func(s *side) string { return s.FullName },
		take: func(to, from *side) {
			to.FirstName, to.LastName, to.FullName = from.FirstName, from.LastName, from.FullName
		}}}
	for _, f := range fields {
		if f.Part == models.Profile && f.Key != "first_name" && f.Key != "last_name" {
			facts = append(facts, mergeFact{name: f.Key, label: f.Label, isHTML: f.Key == "about",
				get:  func(s *side) string { return f.Value(s.Person) },
				take: func(to, from *side) { f.Set(to.Person, f.Value(from.Person)) }})
		}
	}
	facts = append(facts, mergeFact{name: "photo_url", label: "Photo",
		get: func(s *side) string {
			if s.PhotoURL == nil {
				return ""
			}
			return *s.PhotoURL
		},
		take: func(to, from *side) { to.PhotoURL = from.PhotoURL }})
	for _, event := range slices.Sorted(maps.Keys(a.AtEvents)) {
		if b.AtEvents[event] == nil {
			continue
		}
		for _, f := range models.ContactFields {
			if f.Part.OfEvent() && f.Part != models.Tagging {
				facts = append(facts, mergeFact{name: event + "." + f.Key, label: f.Label, event: event,
					get:  func(s *side) string { return f.Value(s.at(event)) },
					take: func(to, from *side) { f.Set(to.at(event), f.Value(from.at(event))) }})
			}
		}
	}
	return facts
}

// fold gives the survivor the removed contact's values: those that the survivor lacks, and those named in take.
func (s *side) fold(gone *side, facts []mergeFact, take []string) {
	s.Person = s.Clone()
	maps.Copy(s.Files, gone.Files)
	for _, f := range facts {
		stays, other := f.get(s), f.get(gone)
		if other != "" && stays != other && (stays == "" || slices.Contains(take, f.name)) {
			f.take(s, gone)
		}
	}
	s.Index()
}

// doubled returns the survivor's seats on sessions that both are on, by session id.
func doubled(stays, gone *side) map[string]*MergedSeat {
	on := map[string]*MergedSeat{}
	for _, seat := range gone.Seats {
		for _, own := range stays.Seats {
			if own.SessionID == seat.SessionID {
				on[seat.SessionID] = own
			}
		}
	}
	return on
}

// facts returns all values of somebody, as the activity keeps them for a removed contact: enough to restore it by hand.
func (s *side) facts(names map[string]string) map[string]any {
	facts := map[string]any{"id": s.ID, "created_at": s.CreatedAt.String(), "photo_url": store.Fact(s.PhotoURL)}
	for _, f := range models.ContactFields {
		if value := f.Value(s.Person); f.Part == models.Profile && value != "" {
			facts[f.Key] = value
		}
	}
	own, events, sessions, notes, aliases := map[string]any{}, map[string]any{}, []any{}, []string{}, []string{}
	for key := range s.Own {
		own[key] = s.OwnFact(key)
	}
	for event := range s.AtEvents {
		events[event] = s.factsAt(event, names)
	}
	for _, seat := range s.Seats {
		sessions = append(sessions, map[string]any{"event": seat.EventID, "id": seat.SessionID, "label": seat.FriendlyID,
			"title": seat.Title, "role": seat.Role, "position": seat.Position})
	}
	for _, note := range s.Notes {
		notes = append(notes, note.ID)
	}
	for _, alias := range s.Aliases {
		aliases = append(aliases, alias.Email)
	}
	facts["own"], facts["events"], facts["sessions"] = own, events, sessions
	facts["notes"], facts["aliases"] = notes, aliases
	return facts
}

// factsAt returns the values at one event.
func (s *side) factsAt(event string, names map[string]string) map[string]any {
	at := map[string]any{}
	for _, f := range models.ContactFields {
		if value := f.Value(s.at(event)); f.Part.OfEvent() && f.Part != models.Tagging && value != "" {
			at[f.Key] = value
		}
	}
	tags := store.Map(s.Tagged[event], func(id string) string { return cmp.Or(names[id], id) })
	if len(tags) > 0 {
		at["tags"] = strings.Join(tags, ", ")
	}
	for _, card := range s.Cards {
		if card.EventID == event {
			at["stage"] = cmp.Or(names[card.StageID], card.StageID)
		}
	}
	return at
}
