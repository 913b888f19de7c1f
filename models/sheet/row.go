package sheet

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/csv"
	"lectern/models/moving"
	"lectern/models/store"
)

// row is a row of the table, with the cells of known columns.
type row struct {
	number int
	cells  map[string]string
	kept   []string // the other cells, in the order of their columns
}

// session is a session of the table: all its rows, if it has one for each speaker.
type session struct {
	row
	key        string
	people     []string // by key
	seated     map[string]bool
	start, end time.Time
	status     models.Status
	isRefused  bool // the row is not imported
}

// isOther reports whether a row is another session, rather than a further speaker: its title, time or room differs.
func (s *session) isOther(r row) bool {
	for _, name := range []string{"title", "date", "start", "end", "minutes", "room"} {
		if text := store.OneLine(r.cells[name]); text != "" && text != store.OneLine(s.cells[name]) {
			return true
		}
	}
	return false
}

// keep adds the unknown cells of a further speaker's row, as new lines where they differ.
func (s *session) keep(r row) {
	for i, text := range r.kept {
		if text != "" && !strings.Contains("\n"+s.kept[i]+"\n", "\n"+text+"\n") {
			s.kept[i] = strings.TrimPrefix(s.kept[i]+"\n"+text, "\n")
		}
	}
}

// statuses are the words for statuses, in English, German, French and Spanish.
var statuses = map[models.Status][]string{
	models.Accepted: csv.Words(`accepted, accept, confirmed, approved, scheduled, yes, angenommen, akzeptiert, bestätigt, zugesagt,
		accepté, acceptée, confirmé, aceptado, aceptada, confirmado`),
	models.Pending: csv.Words(`pending, submitted, new, nominated, in review, under review, in evaluation, waitlisted, waitlist, waiting
		list, maybe, eingereicht, offen, in prüfung, warteliste, soumis, en attente, enviado, pendiente`),
	models.AcceptQueue:  csv.Words(`accept queue, accept_queue, to accept, accept queue`),
	models.DeclineQueue: csv.Words(`decline queue, decline_queue, to decline`),
	models.Declined: csv.Words(`declined, decline, rejected, refused, no, abgelehnt, refusé, refusée, rejeté, rechazado,
		rechazada`),
	models.Withdrawn: csv.Words(`withdrawn, canceled, cancelled, zurückgezogen, abgesagt, retiré, annulé, retirado, cancelado`),
	models.Draft:     csv.Words(`draft, entwurf, brouillon, borrador`),
}

// statusIn returns the status that a cell names. An empty cell means accepted if the session has a time, else pending.
func statusIn(cell string, isPlaced bool) (models.Status, error) {
	if cell == "" && isPlaced {
		return models.Accepted, nil
	} else if cell == "" {
		return models.Pending, nil
	}
	for _, status := range models.Statuses {
		for _, word := range statuses[status] {
			if store.Searchable(word) == store.Searchable(cell) {
				return status, nil
			}
		}
	}
	return "", fmt.Errorf("“%s” is no status. Write accepted, pending, declined, withdrawn or draft", cell)
}

// several splits a cell into entries: at semicolons, bars or lines, else at commas.
func several(cell string) (all []string) {
	by := func(r rune) bool { return r == ';' || r == '\n' || r == '|' }
	if !strings.ContainsFunc(cell, by) {
		by = func(r rune) bool { return r == ',' }
	}
	for _, entry := range strings.FieldsFunc(cell, by) {
		if entry = store.OneLine(entry); entry != "" {
			all = append(all, entry)
		}
	}
	return all
}

// named is a person as a cell names them.
type named struct{ first, last, email string }

// entriesOf splits a cell into names. If only commas separate them, a comma may belong to a name: “Lovelace, Ada”, “Ada
// Lovelace, PhD”.
func entriesOf(cell string) (all []string) {
	if strings.ContainsAny(cell, ";\n|") {
		return several(cell)
	}
	parts := several(cell)
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "<")
		first, _ := models.NamesIn("A, " + strings.TrimSpace(name))
		isTitle := first == "A,"
		isFirst := len(parts) == 2 && len(strings.Fields(name)) == 1 && !strings.Contains(cell, "@,")
		if i > 0 && !strings.Contains(parts[i-1], "@") && !strings.Contains(name, "@") && (isTitle || isFirst) {
			all[len(all)-1] += ", " + part
			continue
		}
		all = append(all, part)
	}
	return all
}

// namedIn returns the people of a cell: names, addresses, or both as “Ada Lovelace <ada@example.org>”.
func namedIn(cell string) (all []named) {
	for _, entry := range entriesOf(cell) {
		var n named
		var words []string
		for _, word := range strings.Fields(entry) {
			if strings.Contains(word, "@") {
				n.email = address(word)
			} else {
				words = append(words, word)
			}
		}
		n.first, n.last = models.NamesIn(strings.Trim(strings.Join(words, " "), `"`))
		all = append(all, n)
	}
	return all
}

// address returns the e-mail address in a word, "" for none: people also write “-” and “tbd”.
func address(word string) string {
	word = strings.TrimPrefix(strings.Trim(word, `<>()"',`), "mailto:")
	if !store.IsEmail(word) {
		return ""
	}
	return word
}

// place finds out when a session is held.
func (s *session) place(c *calendar) (err error) {
	var on time.Time
	if cell := s.cells["date"]; cell != "" {
		date, _ := parted(cell)
		if on, err = c.date(date); err != nil {
			return err
		}
	}
	start, end := s.cells["start"], s.cells["end"]
	if _, clock := parted(s.cells["date"]); start == "" && !strings.HasPrefix(clock, "00:00") { // a plain date is at 00:00
		start = clock
	}
	if start == "" {
		return nil
	}
	if s.start, _, err = c.moment(start, on); err != nil {
		return err
	}
	switch {
	case end != "":
		return s.until(c, end)
	case s.cells["minutes"] != "":
		minutes, err := minutesIn(s.cells["minutes"])
		if minutes > 0 {
			s.end = s.start.Add(time.Duration(minutes) * time.Minute)
		}
		return err
	}
	return nil
}

// until finds out when a session ends: a time of day before its start is one of the next day.
func (s *session) until(c *calendar, cell string) (err error) {
	begins := s.start.In(c.zone)
	on := time.Date(begins.Year(), begins.Month(), begins.Day(), 0, 0, 0, 0, time.UTC)
	var hasDay bool
	if s.end, hasDay, err = c.moment(cell, on); err != nil {
		return err
	}
	if s.end.Before(s.start) && !hasDay {
		s.end, _, err = c.moment(cell, on.AddDate(0, 0, 1))
	}
	if err == nil && s.end.Before(s.start) {
		return fmt.Errorf("it ends before it starts")
	}
	return err
}

// seat adds the people of a row to a session. If the row names one person, its cells describe them; if it names
// several, each entry of a cell with as many entries describes one of them.
func (s *Sheet) seat(on *session, r row) {
	people := namedIn(r.cells["people"])
	if first, last := r.cells["first_name"], r.cells["last_name"]; first != "" || last != "" {
		people = []named{{first: store.OneLine(first), last: store.OneLine(last)}}
	}
	emails := several(r.cells["email"])
	for i := range emails {
		emails[i] = address(emails[i])
	}
	if len(people) == 0 {
		emails = slices.DeleteFunc(emails, func(one string) bool { return one == "" })
		people = make([]named, len(emails))
	}
	for i, n := range people {
		if len(emails) == len(people) && n.email == "" {
			n.email = emails[i]
		}
		key := s.person(n, r)
		describe(s.known[key], r, i, len(people))
		if !on.seated[key] {
			on.seated[key] = true
			on.people = append(on.people, key)
		}
	}
}

// describe stores what a row says of the nth of its people, unless an earlier row said it.
func describe(p *moving.Person, r row, n, of int) {
	for _, fact := range []struct {
		name string
		to   *string
	}{{"company", &p.CompanyName}, {"job_title", &p.JobTitle}, {"about", &p.About}, {"photo", &p.PhotoURL}} {
		text := entry(r.cells[fact.name], n, of)
		switch {
		case *fact.to != "" || text == "":
		case fact.name == "about":
			*fact.to = moving.Paragraphs(text)
		case fact.name != "photo" || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
			*fact.to = text
		}
	}
}

// entry returns the nth entry of a cell with of entries, "" if it has another number.
func entry(cell string, n, of int) string {
	if of == 1 {
		return cell
	}
	if all := several(cell); len(all) == of {
		return all[n]
	}
	return ""
}

// person returns the key of somebody, by address or else by name.
func (s *Sheet) person(n named, r row) string {
	name := strings.TrimSpace(n.first + " " + n.last)
	key := s.key("name/" + store.Fold(name))
	if n.email != "" {
		key = s.key("email/" + store.Fold(n.email))
	}
	if there := s.known[key]; there != nil {
		if is := strings.TrimSpace(there.FirstName + " " + there.LastName); name != "" && is != name {
			s.fault(r, name, "has the address of "+is+" above, whose name is taken")
		}
		return key
	}
	if name == "" {
		n.first, _, _ = strings.Cut(n.email, "@")
	}
	p := &moving.Person{Person: arrival.Person{Key: key}}
	p.FirstName, p.LastName, p.Email = n.first, n.last, n.email
	s.known[key] = p
	s.faults.firsts[key] = r.number
	s.people = append(s.people, p)
	return key
}
