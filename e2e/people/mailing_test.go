package people

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestALetterIsWrittenToPeopleWhoAreTicked goes from a list of people to a letter that each of them gets.
func TestALetterIsWrittenToPeopleWhoAreTicked(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		w := s.Owner()
		w.Follow("Submissions")
		w.Follow("New submission")
		w.Fill("Title", "Harbour logs")
		for _, person := range [][2]string{{"Ines Carvalho", "ines@example.org"}, {"Bruno Silva", "nobody@example.org"}, {"Plum", ""}} {
			w.Press("Somebody new")
			w.Fill("Name", person[0])
			w.Fill("E-mail", person[1])
			w.Press("Add this person")
			w.Sees(person[0])
		}
		w.Press("Create submission")
		w.Sees("A-1 is created.")
		w.Follow("Speakers")
		for _, name := range []string{"Ines Carvalho", "Bruno Silva", "Plum"} {
			w.Tick("Select " + name)
		}
		w.Press("Write a letter")
		w.Sees("Letter to 3 people", "1 person has no e-mail address", "Plum", "1 of 3", "Nothing is written yet")
		w.Follow("Invitation to speak")
		w.Fill("Subject", "{{event}}: your journey")
		w.Fill("Letter", "Dear {{first_name}},\n\nhow do you come?")
		w.Press("Write 3 letters")
		w.Sees("The letters are written. Nothing is sent yet.", "Send 2 letters…")
		w.Accessible("mailing")
		w.Follow("Next")
		w.Follow("Next")
		w.Sees("3 of 3", "Dear Ines,")
		w.Follow("Edit only this one")
		w.Fill("Letter", "Dear Inês,\n\nby hand.")
		w.Press("Save this letter")
		w.Sees("The letter is saved.", "Dear Inês,")
		w.Follow("All of this letter")
		w.Press("Send yourself a test")
		w.Sees("A test is on its way to")
		w.Follow("Show")
		w.Sees("Cannot be sent", "No e-mail address")
		w.Accessible("mailing-letters") // which the gallery lacks
		w.Follow("The letter and its text")
		w.Follow("Send 2 letters…")
		w.Sees("Harbour <programme@harbour.test>")
		w.Press("Send 2 letters")
		w.Sees("2 letters go out when this reaches zero")
		w.Press("Send now")
		w.Follow("Failed")
		w.ReloadsUntil("Refused, 550 5.1.1")
		w.Sees("Bruno Silva", "Retry 1 letter")
		w.Follow("Sent")
		w.ReloadsUntil("Ines Carvalho")
		w.Sees("Test: ", "Note")
		if n := office.Count(); n != 2 { // with the test
			t.Errorf("%d letters arrived", n)
		}
		w.Follow("Ines Carvalho")
		w.Follow("Ines Carvalho")
		w.Sees("Write a letter", "your journey", "Sent")
		w.Accessible("person-letters")
	})
}
