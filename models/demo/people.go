package demo

import (
	"context"
	"fmt"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
)

// crew are the contacts: first name, last name, company, job title, about. Two share a name, one has no e-mail address,
// some have names in right-to-left scripts or in Han, Hangul and Kana.
var crew = [][5]string{
	{"Inês", "Carvalho", "Tide Tables", "Founder", "Keeps a harbour's paper logs readable since 1998."},
	{"Li", "Na", "Slow Queue", "Staff engineer", "Writes queues that forget nothing."},
	{"Wei", "Zhang", "Lantern Labs", "Researcher", "Studies how systems are taken over by their second team."},
	{"Wei", "Zhang", "Northern Grid", "Site reliability engineer", "Not the other one. Runs power dispatch in Tromsø."},
	{"山田", "花子", "港湾データ", "データエンジニア", "港の百年分の記録を検索できるようにしました。"},
	{"김", "민준", "조용한 시스템", "개발자", "오래 가는 소프트웨어를 좋아합니다."},
	{"ليلى", "حداد", "دفاتر", "مهندسة برمجيات", "تبني أدوات تعيش أطول من شركاتها."},
	{"יעל", "לוי", "מפתחות", "מהנדסת אבטחה", "מחליפה מפתחות בלי להעיר אף אחד."},
	{"Søren", "Kjær", "Fjordkode", "Consultant", "Reads other people's migrations for a living."},
	{"Amara", "Okafor", "Ledgerline", "Principal engineer", "Once moved 40 years of ledgers on a Sunday."},
	{"Björk", "Ásgeirsdóttir", "Hraun", "Engineering manager", "Manages by walking around lava fields."},
	{"Teuta", "Gashi", "Ura", "Product designer", "Designs for the tenth year of a product, not for the first week."},
	{"Rafael", "Monteiro", "Tide Tables", "Archivist", "Believes that a format is a promise."},
	{"Nomvula", "Dlamini", "Umbani", "Platform lead", "Turns pagers into rosters people can live with."},
	{"Anjali", "Rao", "Monsoon", "Database engineer", "Thinks in query plans."},
	{"Tomasz", "Wiśniewski", "Stary Port", "Developer", "Maintains a compiler older than himself."},
	{"Chiara", "Bellini", "Lanterna", "Accessibility specialist", "Tests with a screen reader first and a screen last."},
	{"Mateo", "Quispe", "Altiplano", "Network engineer", "Connects villages at 4,000 metres."},
	{"Fatima", "Zahra El Idrissi", "Medina Maps", "Cartographer", "Names streets that have no names."},
	{"Jürgen", "Öztürk", "Kontor", "Staff engineer", "Deletes code; writes little."},
	{"Hedda", "Lindqvist", "Skerry", "CTO", "Sold two companies, kept both codebases running."},
	{"Kofi", "Mensah", "Savanna Pay", "Backend engineer", "Reconciles money in four currencies before breakfast."},
	{"Noor", "van der Meer", "Polder", "Open source steward", "Pays maintainers, on time."},
	{"Pavel", "Novák", "Orloj", "Embedded engineer", "Repairs clocks, of both kinds."},
	{"Grace", "Wanjiru", "Baobab", "Developer advocate", "Explains things until they are simple."},
	{"Eilidh", "MacLeod", "Hebrides Data", "Data engineer", "Counts puffins and packets."},
	{"Camille", "Fournier-Blanc", "Phare", "Technical writer", "The docs are the product."},
	{"Diego", "Herrera", "Cauce", "Release engineer", "Ships on Fridays, on purpose."},
	{"Olena", "Shevchenko", "Dzvin", "Security researcher", "Finds the door that was left open in 2009."},
	{"Arash", "Karimi", "Qanat", "Distributed systems engineer", "Moves water and messages underground."},
	{"Sofia", "Papadopoulou", "Meltemi", "UX researcher", "Asks why, five times."},
	{"Tariq", "Aziz", "Caravan", "Logistics engineer", "Has opinions on addresses."},
	{"Maja", "Horvat", "Jadran", "Developer", "Wrote her first parser for a train timetable."},
	{"Emil", "Dragomir", "Carpathia", "Performance engineer", "Measures first."},
	{"Linh", "Trần", "Sông", "Frontend engineer", "Makes pages that work on a ferry."},
	{"Owen", "ap Rhys", "Llyn", "Librarian", "Catalogues software as if it were books."},
	{"Zeynep", "Kaya", "Boğaz", "Site reliability engineer", "Two continents, one on-call rota."},
	{"Isaac", "Abebe", "Kebele", "Civic technologist", "Builds forms that people finish."},
	{"Marta", "Ferreira", "Azulejo", "Designer", "Grids, tiles and time zones."},
	{"Henrik", "Dahl", "Fjordkode", "Developer", "Undo is a feature."},
	{"Priya", "Natarajan", "Monsoon", "Engineer", "Indexes everything but the kitchen sink."},
	{"Lucía", "Ortega", "Faro", "Founder", "Runs a company of eleven for eleven years."},
	{"Samuel", "Adeyemi", "Oja", "Mobile engineer", "Offline first since the network was."},
	{"Katarzyna", "Zielińska", "Stary Port", "Test engineer", "Breaks things politely."},
	{"Antoine", "Lefèvre", "Phare", "Historian of computing", "Collects manuals."},
	{"Mei-Ling", "Chen", "Slow Queue", "Engineer", "Once debugged a queue by telephone."},
	{"Bruno", "Silva", "Independent", "Organizer", "Introduces people to each other."},
	{"Yuki", "Tanaka", "Hashi", "Protocol engineer", "Version 1 is for ever."},
	{"Ruth", "Goldberg", "Mafteach", "Cryptographer", "Prefers boring primitives."},
	{"Дмитро", "Коваленко", "Архів порту", "архівіст", "Переносить архіви, коли треба швидко."},
	{"Елена", "Соколова", "Полярная станция", "радист", "Пишет программы, которые нельзя исправить."},
	{"Plum", "", "", "Artist", "One name is enough."},
}

// notes are private notes, by the person's index in crew.
var notes = map[int]models.NewContact{
	1: {TravelNotes: "PRIVATE: arrives on the evening before at 23:40, TP 1361, needs a late check-in",
		LogisticsNotes: "PRIVATE: step-free access to the stage"},
	6: {TravelNotes: "PRIVATE: visa letter sent", LogisticsNotes: "PRIVATE: halal, no nuts"},
	9: {LogisticsNotes: "PRIVATE: speaks with a lapel microphone only"},
}

// address returns the e-mail address of a person; the last one has none.
func address(i int) string {
	if i == len(crew)-1 {
		return ""
	}
	return fmt.Sprintf("speaker%02d@tideline.example", i+1)
}

// nameOf returns how texts call a person. The second one of a name has the company added.
func nameOf(i int) string {
	name := fullName(crew[i])
	for _, before := range crew[:i] {
		if fullName(before) == name {
			return name + " (" + crew[i][2] + ")"
		}
	}
	return name
}

func fullName(p [5]string) string {
	if p[1] == "" {
		return p[0]
	}
	return p[0] + " " + p[1]
}

// invitePeople has an organizer enter the people to whom the call is sent.
func (s *story) invitePeople(e *edition) {
	s.people = map[string]string{}
	for i, p := range crew {
		s.at(s.daysAgo(59, 9, i), "entering "+nameOf(i), func(ctx context.Context) error {
			n := notes[i]
			n.FirstName, n.LastName, n.CompanyName, n.JobTitle = p[0], p[1], p[2], p[3]
			n.About, n.Email = "<p>"+p[4]+"</p>", address(i)
			c, err := e.by(s.staff.Tomas).CreateContact(ctx, n)
			if err == nil {
				s.people[nameOf(i)] = c.ID
			}
			return err
		})
	}
}

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
