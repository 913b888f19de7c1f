package people

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestPeopleComeInFromAFile imports a messy file, as a spreadsheet on Windows writes it, corrects the rows that failed,
// and imports them again. Then it merges three suggested pairs and one by hand, saves travel, leads somebody to a yes
// and erases another. The receiver hears of exactly that.
func TestPeopleComeInFromAFile(t *testing.T) { Journey(t, importJourney) }

// messyPeople returns a file of 200 rows, of which four cannot be imported and one repeats another.
func messyPeople(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("Vorname;Nachname;E-Mail;Firma;Interne Nr.\r\n")
	for i := range 194 {
		fmt.Fprintf(&out, "Jürgen;Groß %d;person%d@example.org;\"Müller;\nSöhne\";%d\r\n", i, i, i)
	}
	out.WriteString("Bruno;Silva;bruno@silvaworks;;\r\n;;leer@example.org;;\r\nKenji;Sato;;;\r\n" +
		"Ruth;Other;person1@example.org;;\r\nLi;Na;li@example.org;=HYPERLINK(1);\r\n" +
		"Jürgen;Groß 0;person0@example.org;\"Müller;\nSöhne\";\r\n")
	return modelstest.Must(charmap.Windows1252.NewEncoder().String(out.String()))(t)
}

func importJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.Owner()
	hook := NewReceiver(t)
	s.Run("webhook", "create", "--url", hook.URL)

	bring := func(content string) {
		t.Helper()
		w.Follow("Speakers")
		w.Follow("Import")
		w.Attach("file", "people.csv", content)
		w.Press("Look at the file")
	}
	bring("Name,Email\n\"Ada,ada@example.org\n")
	w.Sees("Row 2, column 1: A quote opens here and never closes")
	w.Accessible("import-file")
	bring(messyPeople(t))
	w.Sees("What is in which column?", "We recognised 4 of 5 columns", "Jürgen", "Left out")
	w.Accessible("import-columns")
	w.Press("Check 200 rows")
	w.Sees("195 people can come in, 4 rows cannot", "bruno@silvaworks", "1 person has no e-mail address",
		"Also in row 3", "It begins like a formula")
	w.Accessible("import-check")
	w.Press("Import")
	w.ReloadsUntil("195 people are new, 0 changed")
	w.Sees("Download 4 rows to correct")
	w.Accessible("import-done")

	bring("Vorname,Nachname,E-Mail,Firma,Row in the file,What is wrong\r\n" +
		"Bruno,Silva,bruno@silva.example,,196,E-Mail\r\n" +
		"Aiko,Mori,aiko@example.org,記録工房,198,E-Mail\r\nJürgen,Groß 0,person0@example.org,,201,\r\n")
	w.Sees("2 people can come in, 0 rows cannot", "Every row can be read.")
	w.Press("Import")
	if w.Scripts { // the page follows by itself
		w.Sees("2 people are new, 0 changed")
		w.DoesNotSee("The import is in line")
	}
	w.ReloadsUntil("2 people are new, 0 changed")

	w.Follow("Speakers")
	w.Follow("Everybody")
	w.Sees("197 people")

	talk := tidied(t, s, w, bring)
	modelstest.Want(t, "the receiver heard", hook.Heard(t, 207),
		"contact.created 200, contact.merged 4, contact.updated 1, session.created 1, session.updated 1")
	survives(t, s, talk)
}
