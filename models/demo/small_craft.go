package demo

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

//go:embed small_craft.txt
var smallCraftText string

// started is the state of a draft that has only a title.
const started = "started"

// boater is somebody who proposes a talk for the first time: their address and biography.
type boater struct{ email, about string }

var boaters = map[string]boater{
	"Ifeoma Adeyemi": {"ifeoma@pumphouse.example", "Keeps pipelines afloat at Pumphouse. Collects old valves."},
	"Cathal Byrne":   {"cathal@slipway.example", "Writes checklists, then crosses out half of them."},
	"Marisol Quispe": {"marisol@altiplano.example", "Teaches people to restore before they learn to deploy."},
	"Henrik Aas":     {"henrik@baatregister.example", "Looks after the register of boats of a country with more boats than cars."},
	"Yuki Tanabe":    {"yuki@nightdesk.example", "Reads what others wrote at four in the morning."},
	"Zsófia Balla":   {"zsofia@boja.example", "Builds controllers with as little in them as possible."},
	"Rukmini Iyer":   {"rukmini@splice.example", "Joins teams for a living."},
	"Bram de Wit":    {"bram@getij.example", ""},
}

// These are the keys that the questions of this call get from their labels.
const (
	bringAlong = "what_do_people_need_to_bring"
	mayRecord  = "may_we_record_and_publish_the_session"
	makesItSo  = "what_would_make_it_possible_to_come"
	slides     = "slides_or_notes"
	eats       = "what_do_you_eat"
)

// proposes has people write proposals for the open call, and an organizer one for somebody who telephoned.
func (e *edition) proposes(entries []*entry) {
	places := map[*entry]*call.Place{}
	for i, x := range entries {
		began := e.daysAgo(18-2*i, 19, 4+7*i)
		e.at(began, "beginning "+x.title, func(ctx context.Context) (err error) {
			places[x], err = e.begins(ctx, x, i)
			return err
		})
		if x.state == started {
			continue
		}
		e.at(began.Add(35*time.Minute), "writing "+x.title, func(ctx context.Context) error {
			return e.writes(ctx, places[x], x, i)
		})
		if x.state == string(models.Draft) {
			continue
		}
		e.at(began.Add(26*time.Hour), "submitting "+x.title, func(ctx context.Context) error {
			_, err := places[x].Submit(ctx, e.event, x.row.ID, call.Submitting{Agreed: true})
			return err
		})
		if x.state == string(models.Withdrawn) {
			e.at(began.Add(60*time.Hour), "withdrawing "+x.title, func(ctx context.Context) error {
				_, err := places[x].Withdraw(ctx, e.event, x.row.ID, "The buoy was stolen, so there is nothing to show.")
				return err
			})
		}
	}
	e.inStead()
}

// begins starts a proposal with its title. Two in three open the link in their mail.
func (e *edition) begins(ctx context.Context, x *entry, i int) (*call.Place, error) {
	who, found := boaters[x.by[0].name]
	if !found {
		return nil, fmt.Errorf("nobody is called %q", x.by[0].name)
	}
	from, byCall := call.Browser{Address: fmt.Sprintf("192.0.2.%d", 20+i), Agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0"},
		store.By{Door: "call"}
	begun, err := call.Begin(ctx, e.db, e.event, call.Beginning{Name: x.by[0].name, Email: who.email, Title: x.title,
		Browser: from}, byCall)
	if err != nil {
		return nil, err
	}
	x.row = begun.Session
	login, err := call.LoginBy(ctx, e.db, begun.Token)
	if err == nil && i%3 != 1 {
		_, err = call.OpenLink(ctx, e.db, e.event.OrganizationID, begun.Link, from, login)
	}
	if err != nil {
		return nil, err
	}
	return call.PlaceOf(e.db, login, byCall), nil
}

// writes fills in the form completely, except for drafts.
func (e *edition) writes(ctx context.Context, pl *call.Place, x *entry, i int) error {
	v, err := e.answers(x, i)
	if err != nil {
		return err
	}
	_, faults, err := pl.Save(ctx, e.event, x.row.ID, call.Saving{Values: v})
	switch {
	case err == nil && len(faults) > 0:
		return fmt.Errorf("%s", faults[0].Sentence)
	case err != nil:
		return err
	case i%4 != 3: // of each speaker
		eaten := []string{"Anything", "Vegetarian", "Vegan"}[i%3]
		if _, _, err = pl.SaveOwn(ctx, e.event, call.Saving{Values: call.Values{eats: eaten}}); err != nil {
			return err
		}
	}
	switch {
	case x.format != "Talk" || x.state != string(models.Pending):
		return err
	}
	_, err = pl.AttachFile(ctx, e.event, x.row.ID, slides, models.Upload{
		Name: strings.ToLower(strings.ReplaceAll(x.title, " ", "-")) + ".pdf", Content: []byte(onePage)})
	return err
}

// answers returns an entry's answers to the form, by question key.
func (e *edition) answers(x *entry, i int) (call.Values, error) {
	v := call.Values{string(call.Title): x.title, string(call.Description): strings.Join(x.paragraphs, "\n\n"),
		string(call.Biography): boaters[x.by[0].name].about}
	for _, row := range []struct {
		standard call.StandardField
		family   models.Family
		name     string
	}{{call.Track, models.Tracks, x.track}, {call.Format, models.Formats, x.format}, {call.Level, models.Levels, x.level}} {
		id, err := e.row(row.family, row.name)
		if err != nil {
			return nil, err
		}
		v[string(row.standard)] = id
	}
	if x.state == string(models.Draft) {
		return v, nil
	}
	v[mayRecord] = []string{field.Yes, field.Yes, field.No}[i%3]
	v[makesItSo] = []string{"", "Travel", "Travel\nA room", "Childcare"}[i%4]
	v[givenBefore] = []string{"No, this is the first time.", "", "In our own boathouse, twice."}[i%3]
	if x.format == "Workshop" {
		v[bringAlong] = "A laptop with a shell, and a pencil. We bring the paper."
	}
	return v, nil
}

// inStead has an organizer fill in the form for somebody else, and keep a second one as a draft.
func (e *edition) inStead() {
	by := func() *call.Call { return call.Of(e.by(e.staff.Beatriz)) }
	add := func(x *entry, i int, submits bool) {
		e.at(e.daysAgo(2, 15, 10*i), "adding "+x.title+" for "+x.by[0].name, func(ctx context.Context) (err error) {
			people, err := e.participations(x)
			if err != nil {
				return err
			}
			if x.row, err = by().BeginFor(ctx, call.BeginningFor{Title: x.title, People: people}); err != nil {
				return err
			}
			v, err := e.answers(x, i)
			if err != nil {
				return err
			}
			delete(v, string(call.Biography)) // they are known already
			p, _, err := by().Save(ctx, x.row.ID, call.Saving{Values: v})
			if err != nil || !submits {
				return err
			}
			_, err = by().SubmitFor(ctx, x.row.ID, call.SubmittingFor{Token: p.UpdatedAt})
			return err
		})
	}
	add(&entry{title: "What forty years of ledgers weigh", track: "Keeping it running", format: "Talk", level: "For everyone",
		by: []person{{name: "Amara Okafor"}}, state: string(models.Pending), paragraphs: []string{
			"Nine kilograms, an adding machine and one Sunday. What is left of a migration once nobody remembers the system it came from."}},
		0, true)
	add(&entry{title: "Lanterns for the next crew", track: "People and pagers", format: "Lightning talk", level: "For everyone",
		by: []person{{name: "Teuta Gashi"}}, state: string(models.Draft), paragraphs: []string{"Said on the telephone: something about handing over. She sends the rest."}},
		1, false)
}

// onePage is a one-page PDF that somebody hands in.
const onePage = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
`
