package demo

import (
	"context"
	"fmt"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
)

// wish is somebody whom the conference would like to hear, and what became of it. Somebody new has a company.
type wish struct {
	first, last, company, job, email string
	steps                            []wishStep
}

// wishStep is what was done some days before today: the card came to a stage, or a note was added.
type wishStep struct {
	days        int
	stage, note string
}

// wishes are this year's, from the first idea on.
var wishes = []wish{
	{"Adaeze", "Nwosu", "Harbour Authority of Lagos", "Chief pilot", "adaeze@harbour.example", []wishStep{{46, "Idea", ""},
		{45, "", "Would open the first day: what pilots know that instruments do not."}, {41, "Contacted", ""},
		{33, "In talks", "Likes the idea. Needs the dates by the end of the month."},
		{9, "Won", "Yes! Arrives with her sister."}, {8, "invite", ""}}},
	{"Margit", "Halvorsen", "Norsk Fyrvesen", "Lighthouse engineer", "margit@fyrvesen.example", []wishStep{{44, "Idea", ""},
		{38, "Contacted", ""}, {27, "In talks", "Rather a conversation on stage than a talk. Beatriz to ask Chiara."},
		{3, "Won", "Yes, if somebody meets her at the station."}}},
	{"Ignacio", "Bustamante", "Observatorio del Sur", "Archivist", "ignacio@observatorio.example", []wishStep{{40, "Idea", ""},
		{31, "Contacted", "Wrote through his press office."}, {12, "In talks", "Has a conflict on the second day; the first would do."}}},
	{"Sakari", "Niemi", "Puu & Paperi", "Bookbinder", "", []wishStep{{39, "Idea", ""}, {22, "Contacted", ""},
		{6, "In talks", "Called back. Wants to bring a press, 40 kg. Ask the Net Shed."}}},
	{"Oyelaran", "Bello", "Ministry of Works", "Bridge inspector", "o.bello@works.example", []wishStep{{30, "Idea", ""},
		{16, "Contacted", "Second letter on Monday if nothing comes."}}},
	{"Hedda", "Lindqvist", "", "", "", []wishStep{{29, "Idea", "Was loved last year. Not three years in a row, though?"},
		{14, "Contacted", ""}}},
	{"渡辺", "千尋", "時の博物館", "学芸員", "watanabe@museum.example", []wishStep{{26, "Idea", ""},
		{10, "Contacted", "Wrote in Japanese; 花子 read it over."}}},
	{"Caitríona", "Ní Bhriain", "Aran Ferries", "Skipper", "", []wishStep{{21, "Idea",
		"Twenty years of one timetable. No e-mail; call the office."}}},
	{"مريم", "القحطاني", "ميناء", "مهندسة", "maryam@meenaa.example", []wishStep{{15, "Idea", ""}}},
	{"Thandeka", "Mbeki-Ross", "Cold Chain Co-op", "Operations lead", "thandeka@coldchain.example", []wishStep{{11, "Idea",
		"Kept vaccines cold through 300 blackouts. Tomás met her in Cape Town."}}},
	{"Jonas", "Feldmann", "Uhrwerk", "Watchmaker", "jonas@uhrwerk.example", []wishStep{{4, "Idea", ""}}},
	{"Lucía", "Ortega", "", "", "", []wishStep{{2, "Idea", "Eleven years, eleven people: a good opening for the founders' track."}}},
	{"Beatrix", "Oudekerk", "Deltawerken", "Dike warden", "b.oudekerk@delta.example", []wishStep{{43, "Idea", ""}, {36, "Contacted", ""},
		{24, "Lost", "At sea all of May. Ask again next year, in autumn."}}},
	{"Prof. Ansel", "Whitcombe", "", "Historian", "ansel@whitcombe.example", []wishStep{{42, "Idea", ""}, {34, "Contacted", ""},
		{25, "In talks", ""}, {18, "Lost", "Fee beyond what we pay anybody."}}},
}

// source moves the wished-for speakers from stage to stage.
func (s *story) source(e *edition) {
	for i, w := range wishes {
		for n, step := range w.steps {
			by := &s.staff.Beatriz
			if (i+n)%3 == 0 {
				by = &s.staff.Tomas
			}
			s.at(s.daysAgo(step.days, 9+n, 7*i%60), "sourcing "+w.first, func(ctx context.Context) error {
				return e.wish(ctx, *by, w, step)
			})
		}
	}
}

func (e *edition) wish(ctx context.Context, by *staff.User, w wish, step wishStep) error {
	p, name := e.by(by), w.first+" "+w.last
	if step.stage == "invite" {
		_, err := people.Of(p).Invite(ctx, e.people[name])
		return err
	}
	stages, err := people.In(p.Directory()).Stages(ctx)
	if err != nil {
		return err
	}
	for _, stage := range stages {
		if stage.Name != step.stage {
			continue
		}
		if err := e.onStage(ctx, p, w, stage.ID); err != nil {
			return err
		}
	}
	if step.note == "" {
		return nil
	}
	if e.people[name] == "" {
		return fmt.Errorf("nobody is called %q", name)
	}
	_, err = people.Of(p).AddContactNote(ctx, e.people[name], step.note)
	return err
}

// onStage moves a person's card to a stage, or places them on the board, as a new person if needed.
func (e *edition) onStage(ctx context.Context, p *models.Programme, w wish, stage string) error {
	name := w.first + " " + w.last
	id := e.people[name]
	if id == "" {
		x, _, err := people.Of(p).PlaceNew(ctx, people.Change{Values: map[string]string{"first_name": w.first,
			"last_name": w.last,
			"email":     w.email, "company_name": w.company, "job_title": w.job}}, stage)
		if err == nil {
			e.people[name] = x.ID
		}
		return err
	}
	placed, err := people.Of(p).AddCards(ctx, []string{id}, stage)
	if err != nil || len(placed) > 0 {
		return err
	}
	_, err = people.Of(p).MoveCard(ctx, id, people.CardTarget{StageID: stage})
	return err
}
