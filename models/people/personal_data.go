package people

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// PersonalData is all that is stored about one person, as given to them, without names of staff and of other people.
type PersonalData struct {
	ExportedAt store.Time         `json:"exported_at"`
	Contact    map[string]string  `json:"contact"`
	OtherMail  []string           `json:"other_addresses"`
	OwnFields  map[string]string  `json:"own_fields"`
	Events     []PersonalEvent    `json:"events"`
	Sessions   []PersonalSession  `json:"sessions"`
	Letters    []PersonalLetter   `json:"letters"`
	Notes      []PersonalNote     `json:"notes"`
	Activity   []PersonalActivity `json:"activity"`
	Call       PersonalCall       `json:"call_for_papers"`
	Tasks      []PersonalTask     `json:"tasks"`
	Revisions  []PersonalRevision `json:"revisions"`
	Webhooks   []PersonalEmission `json:"told_by_webhooks"`
	Elsewhere  []string           `json:"also_kept"`
	answers    []*models.File     // files of answers, tasks and revisions, for the archive
}

// PersonalEvent is what is stored about a person for one event.
type PersonalEvent struct {
	Name   string            `json:"event"`
	Fields map[string]string `json:"fields"`
	Tags   []string          `json:"tags"`
	Moves  []PersonalMove    `json:"sourcing"`
}

// PersonalMove records that staff put a person's card on a stage of sourcing.
type PersonalMove struct {
	At    store.Time `json:"at"`
	Stage string     `json:"stage"`
}

// PersonalSession is a session that a person is on.
type PersonalSession struct {
	Event   string      `json:"event"`
	Label   string      `json:"label"`
	Title   string      `json:"title"`
	Role    models.Role `json:"role"`
	Deleted bool        `json:"in_trash"`
}

// PersonalLetter is a letter to a person, sent or not.
type PersonalLetter struct {
	Event   string             `json:"event"`
	At      store.Time         `json:"at"`
	State   models.LetterState `json:"state"`
	SentTo  string             `json:"sent_to"`
	SentAt  *store.Time        `json:"sent_at"`
	Subject string             `json:"subject"`
	Body    string             `json:"body"`
	Told    string             `json:"told_by"`
}

// PersonalNote is a note by staff about a person.
type PersonalNote struct {
	Event string     `json:"event"`
	At    store.Time `json:"at"`
	Text  string     `json:"text"`
}

// PersonalActivity is an activity about a person.
type PersonalActivity struct {
	At     store.Time     `json:"at"`
	Action string         `json:"action"`
	Door   string         `json:"door"`
	Before map[string]any `json:"before"`
	After  map[string]any `json:"after"`
}

// PersonalEmission records a webhook that told other systems of a person or a session of theirs.
type PersonalEmission struct {
	At   store.Time `json:"at"`
	Type string     `json:"type"`
}

// KeptElsewhere says where else data of a person may be, for how long, and why it is in no export and stays when they
// are erased.
var KeptElsewhere = []string{
	"The texts of sessions and answers to the call for papers, with their files, may name people. They belong to the session.",
	"Answers kept for programs that repeat a request may show people of sessions; they are forgotten after 24 hours.",
	"An erased photo or file is deleted about a day later; a file of people that was imported, a day after its upload.",
	"Backups show what was there when they were made, until whoever runs the server deletes them.",
	"Other systems keep what webhooks and the API told them; ask whoever runs those.",
	"Who signs in to the admin has an account of their own, which owners remove.",
}

// PersonalData collects all that is stored about somebody in this directory, and records that it was exported. It
// answers NotFound.
func (d *Directory) PersonalData(ctx context.Context, id string) (*PersonalData, *models.Person, error) {
	if !store.IsID(id) {
		return nil, nil, models.ErrNoPerson
	}
	var person *models.Person
	data, err := store.Make(ctx, d.Write, func(tx *store.Tx) (*PersonalData, error) {
		sides, err := d.sides(tx.DB, id)
		if err != nil {
			return nil, err
		}
		if sides[id] == nil {
			return nil, models.ErrNoPerson
		}
		person = sides[id].Person
		g := &gatherer{d, tx, sides[id], &PersonalData{ExportedAt: tx.Now, Elsewhere: KeptElsewhere}, map[string]string{}}
		for _, step := range []func() error{g.events, g.letters, g.call, g.tasks, g.revisions, g.profile, g.activity, g.emissions} {
			if err := step(); err != nil {
				return nil, err
			}
		}
		return g.data, d.Record(tx, store.Change{Subject: "contact", ID: id, Action: "exported"})
	})
	return data, person, err
}

type gatherer struct {
	*Directory
	tx    *store.Tx
	of    *side
	data  *PersonalData
	names map[string]string // of events, by id
}

func (g *gatherer) events() error {
	var events []*models.Event
	if err := g.tx.Select("id, name").Where("organization_id = ?", g.ID).Order("created_at, id").
		Find(&events).Error; err != nil {
		return err
	}
	var tags []struct{ EventID, Name string }
	if err := g.tx.Table("contact_tags t").Joins("JOIN metadata m ON m.id = t.tag_id").Where("t.contact_id = ?", g.of.ID).
		Select("t.event_id, m.name").Order("m.position, m.id").Scan(&tags).Error; err != nil {
		return err
	}
	var moves []*CardMove
	if err := g.tx.Where("contact_id = ?", g.of.ID).Order("created_at, id").Find(&moves).Error; err != nil {
		return err
	}
	for _, e := range events {
		g.names[e.ID] = e.Name
		if g.of.AtEvents[e.ID] == nil {
			continue
		}
		at := PersonalEvent{Name: e.Name, Fields: map[string]string{}, Tags: []string{}, Moves: []PersonalMove{}}
		for _, f := range models.ContactFields {
			if value := f.Value(g.of.at(e.ID)); f.Part.OfEvent() && f.Part != models.Tagging && value != "" {
				at.Fields[f.Key] = value
			}
		}
		for _, tag := range tags {
			if tag.EventID == e.ID {
				at.Tags = append(at.Tags, tag.Name)
			}
		}
		at.Moves = append(at.Moves, movesAt(e.ID, moves)...)
		g.data.Events = append(g.data.Events, at)
	}
	for _, s := range g.of.Seats {
		g.data.Sessions = append(g.data.Sessions, PersonalSession{g.names[s.EventID], s.FriendlyID, s.Title, s.Role, s.IsDeleted})
	}
	for _, n := range g.of.Notes {
		g.data.Notes = append(g.data.Notes, PersonalNote{g.names[n.EventID], n.CreatedAt, n.Text})
	}
	return nil
}

func (g *gatherer) letters() error {
	var letters []*models.Letter
	err := g.tx.Where("contact_id = ?", g.of.ID).Order("created_at, id").Find(&letters).Error
	for _, l := range letters {
		event := ""
		if l.EventID != nil {
			event = g.names[*l.EventID]
		}
		g.data.Letters = append(g.data.Letters, PersonalLetter{event, l.CreatedAt, l.State, l.SentTo, l.SentAt, l.Subject, l.Body,
			l.Reason})
	}
	return err
}

// movesAt returns the moves at one event.
func movesAt(eventID string, moves []*CardMove) (out []PersonalMove) {
	for _, m := range moves {
		if m.EventID == eventID {
			out = append(out, PersonalMove{m.CreatedAt, m.To})
		}
	}
	return out
}

func (g *gatherer) profile() error {
	g.data.Contact = map[string]string{"id": g.of.ID, "created_at": g.of.CreatedAt.String(), "updated_at": g.of.UpdatedAt.String()}
	for _, f := range models.ContactFields {
		if value := f.Value(g.of.Person); f.Part == models.Profile && value != "" {
			g.data.Contact[f.Key] = value
		}
	}
	if g.of.PhotoURL != nil {
		g.data.Contact["photo_url"] = *g.of.PhotoURL
	}
	for _, alias := range g.of.Aliases {
		g.data.OtherMail = append(g.data.OtherMail, alias.Email)
	}
	defined, err := g.DefinedFields(g.tx.DB)
	g.data.OwnFields = map[string]string{}
	for _, f := range defined {
		if value := g.of.Own[f.Key]; g.of.Files[value] != nil {
			g.data.OwnFields[f.Label] = g.of.Files[value].Name
		} else if value != "" {
			g.data.OwnFields[f.Label] = value
		}
	}
	return err
}

func (g *gatherer) activity() error {
	var lines []*store.Activity
	err := g.tx.Where("organization_id = ? AND subject = 'contact' AND subject_id = ?", g.ID, g.of.ID).
		Order("created_at, id").Find(&lines).Error
	for _, line := range lines {
		after := store.ReadFacts(line.After)
		if line.Action == toldApart { // the other one of the pair is somebody else
			after = nil
		}
		g.data.Activity = append(g.data.Activity, PersonalActivity{line.CreatedAt, line.Action, line.Door,
			store.ReadFacts(line.Before), after})
	}
	return err
}

func (g *gatherer) emissions() error {
	return g.tx.Table("emissions").Where("organization_id = ? AND data LIKE ?", g.ID, "%"+g.of.ID+"%").
		Order("seq").Select("occurred_at AS at, type").Scan(&g.data.Webhooks).Error
}

// ExportPerson writes a ZIP archive of all that is stored about somebody: person.json, their photo if it is a file of
// ours, the files of own fields, and those of answers. It answers NotFound before it writes anything.
func (d *Directory) ExportPerson(ctx context.Context, id string, to io.Writer) (*models.Person, error) {
	data, person, err := d.PersonalData(ctx, id)
	if err != nil {
		return nil, err
	}
	photo, err := d.PhotoOf(ctx, &person.Contact)
	if err != nil && store.KindOf(err) != store.NotFound { // it may be on another server
		return nil, err
	}
	archive := zip.NewWriter(to)
	file, err := archive.Create("person.json")
	if err != nil {
		return nil, err
	}
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(data); err != nil {
		return nil, err
	}
	if photo != nil {
		if err := d.copyInto(ctx, archive, "photo.jpg", photo); err != nil {
			return nil, err
		}
	}
	for i, id := range slices.Sorted(maps.Keys(person.Files)) {
		f := person.Files[id]
		if err := d.copyInto(ctx, archive, fmt.Sprintf("files/%d %s", i+1, f.Name), f); err != nil {
			return nil, err
		}
	}
	if err := d.copyAnswers(ctx, archive, data.answers); err != nil {
		return nil, err
	}
	return person, archive.Close()
}

func (d *Directory) copyInto(ctx context.Context, archive *zip.Writer, name string, f *models.File) error {
	content, err := d.OpenFile(ctx, f)
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := archive.Create(name)
	if err == nil {
		_, err = io.Copy(file, content)
	}
	return err
}
