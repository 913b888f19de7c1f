package sheet

import (
	"slices"
	"strings"

	"lectern/models/csv"
)

// Kept is what a column with an unknown heading holds: it becomes an answer of the submission.
const Kept = "answer"

// targets are what columns of sessions may hold, with the words for it in English, German, French and Spanish,
// including those of exports by Sessionize and pretalx.
var targets = []csv.Target{
	{Name: "key", Label: "Id", Words: csv.Words(`id, session id, talk id, code, proposal id, submission id, key, number, no, nr,
		nummer, numéro, número, clave`)},
	{Name: "title", Label: "Title", Words: csv.Words(`title, session title, session, talk, talk title, proposal title, subject,
		session name, titel, vortrag, vortragstitel, titre, intervention, título, sesión, charla, ponencia`)},
	{Name: "description", Label: "Description", Words: csv.Words(`description, abstract, summary, session description,
		proposal description, text, content, beschreibung, zusammenfassung, kurzbeschreibung, résumé, resumen, descripción`)},
	{Name: "status", Label: "Status", Words: csv.Words(`status, state, decision, proposal state, session status, zustand, statut,
		décision, estado, decisión`)},
	{Name: "track", Label: "Track", Words: csv.Words(`track, category, stream, theme, topic, strand, kategorie, themenbereich,
		bereich, parcours, catégorie, thématique, categoría, línea`)},
	{Name: "format", Label: "Format", Words: csv.Words(`format, session format, session type, submission type, type, kind, art,
		typ, form, formato, tipo, type de session`)},
	{Name: "level", Label: "Level", Words: csv.Words(`level, audience level, difficulty, niveau, schwierigkeit, nivel, dificultad`)},
	{Name: "tags", Label: "Tags", Words: csv.Words(`tags, tag, keywords, labels, schlagworte, schlagwörter, mots clés, étiquettes,
		etiquetas, palabras clave`)},
	{Name: "room", Label: "Room", Words: csv.Words(`room, location, stage, hall, room name, raum, saal, ort, bühne, salle, lieu, sala,
		lugar, escenario`)},
	{Name: "date", Label: "Date", Words: csv.Words(`date, day, session date, datum, tag der sitzung, jour, fecha, día`)},
	{Name: "start", Label: "Start", Words: csv.Words(`start, starts, starts at, start time, start date, begin, begins, begins at,
		from, time, scheduled at, scheduled start, beginn, von, uhrzeit, anfang, début, heure de début, inicio,
		hora de inicio, desde`)},
	{Name: "end", Label: "End", Words: csv.Words(`end, ends, ends at, end time, end date, until, to, scheduled end, ende, bis, fin,
		heure de fin, à, hora de fin, hasta`)},
	{Name: "minutes", Label: "Length", Words: csv.Words(`minutes, duration, length, duration in minutes, scheduled duration, dauer,
		länge, minuten, durée, duración, minutos`)},
	{Name: "people", Label: "Speakers", Words: csv.Words(`speakers, speaker, speaker names, speaker name, presenters, presenter,
		participants, people, authors, author, full name, referenten, referent, referentin, vortragende, sprecher,
		personen, intervenants, intervenant, orateurs, ponentes, ponente, oradores`)},
	{Name: "email", Label: "E-mail", Tells: true, Looks: areAddresses, Words: csv.Words(`email, mail, email address, emails, speaker
		email, speaker emails, email adresse, mailadresse, courriel, adresse email, correo, correo electrónico`)},
	{Name: "first_name", Label: "First name", Words: csv.Words(`first name, firstname, given name, vorname, prénom`)},
	{Name: "last_name", Label: "Last name", Words: csv.Words(`last name, lastname, surname, family name, nachname,
		familienname, nom de famille, apellido, apellidos`)},
	{Name: "company", Label: "Company", Words: csv.Words(`company, organization, organisation, affiliation, employer, firma,
		unternehmen, organisation, société, entreprise, empresa, organización`)},
	{Name: "job_title", Label: "Job title", Words: csv.Words(`job title, tagline, tag line, position, berufsbezeichnung,
		funktion, poste, fonction, puesto, cargo`)},
	{Name: "about", Label: "Biography", Words: csv.Words(`bio, biography, speaker bio, about, about me, biografie, lebenslauf, kurzbiografie,
		biographie, biografía`)},
	{Name: "photo", Label: "Photo", Words: csv.Words(`photo, photo url, picture, profile picture, profile picture url, avatar, headshot,
		foto, bild, image, imagen`)},
}

// owners are Sessionize's columns for who submitted a session. Guess uses them for the speakers only if no other column
// names speakers, because an owner need not speak, or not alone.
var owners = []csv.Target{
	{Name: ofOwner + "people", Words: csv.Words(`owner`)},
	{Name: ofOwner + "email", Words: csv.Words(`owner email`), Looks: areAddresses, Takes: true},
}

const ofOwner = "owner's "

// areAddresses reports whether a cell contains only e-mail addresses.
func areAddresses(cell string) bool {
	all := several(cell)
	return len(all) > 0 && !slices.ContainsFunc(all, func(s string) bool {
		return !strings.Contains(s, "@") || strings.ContainsAny(s, " <")
	})
}

// Guess returns what each column of a file holds, by its heading or, for addresses, by its values: the name of a field,
// or Kept. It does not guess from ambiguous headings, because nobody is asked to confirm.
func Guess(file *csv.File) []string {
	held := make([]string, len(file.Columns))
	var named bool
	for i, g := range file.Guess(append(slices.Clone(owners), targets...)) {
		if held[i] = g.Target; g.Target == "" || g.Certainty != csv.Exact && g.Certainty != csv.ByValues {
			held[i] = Kept
		}
		if csv.IsBeside(file.Columns[i].Header) {
			held[i] = ""
		}
		named = named || slices.Contains(naming, held[i])
	}
	for i, name := range held {
		if field, is := strings.CutPrefix(name, ofOwner); is && named {
			held[i] = Kept
		} else if is {
			held[i] = field
		}
	}
	return held
}

// naming are the fields that name speakers.
var naming = []string{"people", "email", "first_name", "last_name"}

// Fields returns what a column may hold, with labels; the name "" means that the column is left out.
func Fields() []Field {
	all := []Field{{"", "Left out"}, {Kept, "An answer"}}
	for _, t := range targets {
		all = append(all, Field{t.Name, t.Label})
	}
	return all
}

// Field is something that a column may hold.
type Field struct{ Name, Label string }
