package people

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func showCard(v *visit.Visit) error { return cardPage(v, http.StatusOK, "") }

// cardPage shows the card of the path; note is the text of a note that was refused.
func cardPage(v *visit.Visit, status int, note string) error {
	v.Section = v.At("/sourcing")
	d := v.Programme.Directory()
	card, err := people.Of(v.Programme).CardOf(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	x, err := d.Person(v.UserContext(), card.ContactID)
	if err != nil {
		return err
	}
	stages, err := people.In(d).Stages(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.CardPage{Board: v.At("/sourcing"), Person: v.At("/speakers/" + x.ID), Email: x.Email, NewNote: note,
		MayChange: v.May(staff.Organizer), Card: pages.BoardCard{ID: x.ID, Name: x.FullName, Photo: x.PhotoPath(),
			Byline: visit.JoinWords(", ", x.JobTitle, x.CompanyName), Since: here(v, card.Since), Status: x.Here.WorkflowStatus}}
	for _, s := range stages {
		row := pages.CardStage{ID: s.ID, Name: s.Name, Kind: s.Kind, Here: s.ID == card.StageID}
		if p.Stages = append(p.Stages, row); row.Here {
			p.Stage = s.Name
			p.Card.Invite = p.MayChange && s.Kind == people.StageWon && people.Invitable(x.Here.WorkflowStatus)
		}
	}
	if p.Moves, err = cardSteps(v, x.ID); err != nil {
		return err
	}
	notes, err := people.In(d).ContactNotes(v.UserContext(), x.ID, []string{v.Event.ID})
	if err != nil {
		return err
	}
	for _, n := range notes {
		p.Notes = append(p.Notes, pages.PersonNote{Who: n.AuthorName, When: page.When(&n.CreatedAt, v.Zone()), Text: n.Text})
	}
	return visit.Show(v, status, x.FullName, pages.Card, p)
}

// cardSteps lists the moves of a card, each with how long the card then stayed.
func cardSteps(v *visit.Visit, id string) (steps []pages.CardStep, err error) {
	moves, err := people.Of(v.Programme).CardMoves(v.UserContext(), id)
	for i, m := range moves {
		step := pages.CardStep{From: m.From, To: m.To, When: page.When(&m.CreatedAt, v.Zone()), Who: m.ActorName}
		if i > 0 {
			step.Lasted = "for " + visit.Lasted(moves[i-1].CreatedAt.Sub(m.CreatedAt.Time))
		}
		steps = append(steps, step)
	}
	return steps, err
}

// noteOnCard adds a note to a person on the board.
func noteOnCard(v *visit.Visit) error {
	id, text := v.Params("contact"), v.Value("note")
	if _, err := people.Of(v.Programme).CardOf(v.UserContext(), id); err != nil {
		return err
	}
	if _, err := people.Of(v.Programme).AddContactNote(v.UserContext(), id, text); err != nil {
		return v.Again(err, func(status int) error { return cardPage(v, status, text) })
	}
	return v.See(v.At("/sourcing/"+id)+"#notes", "The note is added.")
}

// inviteFromBoard gives a person in a won stage the status Invited.
func inviteFromBoard(v *visit.Visit) error {
	id := v.Params("contact")
	back := backToBoard(v) + "#card-" + id
	if v.Value("back") == "card" {
		back = v.At("/sourcing/" + id)
	}
	done, err := people.Of(v.Programme).Invite(v.UserContext(), id)
	if store.KindOf(err) == store.Invalid {
		return v.SeeWarning(back, "Nobody was invited: "+components.Sentence(components.Fault{Message: "this person " +
			page.FaultsOf(err)[0].Message}))
	}
	if err != nil {
		return err
	}
	x, err := v.Programme.Directory().Person(v.UserContext(), id)
	if err != nil {
		return err
	}
	if v.Value("letter") != "" {
		v.KeepNotice("good", visit.Cut(x.FullName)+" is invited. This is the letter to them, which is not sent yet.")
		return v.StartMailing(v.Programme, v.Programme.Directory(), []string{id}, back, "invitation")
	}
	return seeStatus(v, back, visit.Cut(x.FullName)+" is invited. No letter was sent.", done)
}

func askRemoveCard(v *visit.Visit) error {
	v.Section = v.At("/sourcing")
	if _, err := people.Of(v.Programme).CardOf(v.UserContext(), v.Params("contact")); err != nil {
		return err
	}
	x, err := v.Programme.Directory().Person(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	return v.Ask("Remove "+x.FullName+" from the board?", layouts.ConfirmPage{
		Text:   "They stay at the event, with their notes and status.",
		Points: []string{"When their card came to which stage stays in the activity alone.", "It sends nothing."},
		Action: v.At("/sourcing/" + x.ID + "/remove"), Verb: "Remove from the board", Cancel: v.At("/sourcing/" + x.ID)})
}

func removeCard(v *visit.Visit) error {
	id := v.Params("contact")
	if err := people.Of(v.Programme).RemoveCard(v.UserContext(), id); err != nil {
		return err
	}
	x, err := v.Programme.Directory().Person(v.UserContext(), id)
	if err != nil {
		return err
	}
	return v.See(v.At("/sourcing"), visit.Cut(x.FullName)+" is not on the board any more.")
}

// newCard reads the form of a new person.
func newCard(v *visit.Visit) pages.NewCard {
	return pages.NewCard{Name: v.Value("new_name"), Email: v.Value("new_email"), Company: v.Value("new_company"),
		JobTitle: v.Value("new_job")}
}

func addCardForm(v *visit.Visit) error { return addCardPage(v, http.StatusOK) }

// addCardPage searches for people to add to the board, and has the form of a new person.
func addCardPage(v *visit.Visit, status int) error {
	v.Section = v.At("/sourcing")
	stages, err := people.In(v.Programme.Directory()).Stages(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.CardAddPage{Board: v.At("/sourcing"), Text: strings.TrimSpace(v.Query("q")), New: newCard(v),
		Stages: stageOptions(stages, v.Value("stage"))}
	if p.Found.FoundPeople, err = v.FoundPeopleFor(p.Text, nil); err != nil {
		return err
	}
	ids := store.Map(p.Found.People, func(x records.FoundPerson) string { return x.ID })
	on, err := people.Of(v.Programme).CardsOf(v.UserContext(), ids)
	if err != nil {
		return err
	}
	p.Found.On = map[string]string{}
	for _, id := range ids {
		for _, s := range stages {
			if s.ID == on[id] {
				p.Found.On[id] = s.Name
			}
		}
	}
	if utf8.RuneCountInString(p.Text) > store.MaxSearchText {
		p.Text = ""
	}
	return visit.Show(v, status, "Add people to the board", pages.CardAdd, p)
}

// addCard makes a new person, or finds the one with this address, and places them.
func addCard(v *visit.Visit) error {
	f := newCard(v)
	c := people.Change{Values: map[string]string{"email": f.Email, "company_name": f.Company, "job_title": f.JobTitle}}
	c.Values["first_name"], c.Values["last_name"] = models.SplitName(f.Name)
	var x *models.Person
	known := false
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		x, known, err = people.Of(v.Programme).PlaceNew(ctx, c, v.Value("stage"))
		return v.At("/sourcing"), err
	})
	if err != nil {
		return v.Again(newCardFaults(err), func(status int) error { return addCardPage(v, status) })
	}
	text := visit.Cut(x.FullName) + " is on the board now."
	if known {
		text = f.Email + " belongs to " + visit.Cut(x.FullName) + ", who is on the board now. Nothing of theirs was changed."
	}
	return v.See(v.At("/sourcing")+"#card-"+x.ID, text)
}

// newCardFaults renames faults to the form's fields.
func newCardFaults(err error) error {
	e := store.AsError(err)
	if e == nil {
		return err
	}
	names := map[string]string{"first_name": "new_name", "last_name": "new_name", "email": "new_email",
		"company_name": "new_company", "job_title": "new_job"}
	for i, f := range e.Fields {
		if name := names[f.Field]; name != "" {
			e.Fields[i].Field = name
		}
	}
	return err
}
