package e2e

import "testing"

// TestALetterIsWrittenToPeopleWhoAreTicked goes from a list of people to a letter that each of them gets.
func TestALetterIsWrittenToPeopleWhoAreTicked(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		office := s.openPost()
		w := s.owner()
		w.follow("Submissions")
		w.follow("New submission")
		w.fill("Title", "Harbour logs")
		for _, person := range [][2]string{{"Ines Carvalho", "ines@example.org"}, {"Bruno Silva", "nobody@example.org"}, {"Plum", ""}} {
			w.press("Somebody new")
			w.fill("Name", person[0])
			w.fill("E-mail", person[1])
			w.press("Add this person")
			w.sees(person[0])
		}
		w.press("Create submission")
		w.sees("A-1 is created.")
		w.follow("Speakers")
		for _, name := range []string{"Ines Carvalho", "Bruno Silva", "Plum"} {
			w.tick("Select " + name)
		}
		w.press("Write a letter")
		w.sees("Letter to 3 people", "1 person has no e-mail address", "Plum", "1 of 3", "Nothing is written yet")
		w.follow("Invitation to speak")
		w.fill("Subject", "{{event}}: your journey")
		w.fill("Letter", "Dear {{first_name}},\n\nyou are paid from {{travel_desk}}.")
		w.press("Write 3 letters")
		w.sees("{{travel_desk}}, which is no placeholder here")
		w.fill("Letter", "Dear {{first_name}},\n\nhow do you come?")
		w.press("Write 3 letters")
		w.sees("The letters are written. Nothing is sent yet.", "Send 2 letters…")
		w.accessible("mailing")
		w.follow("Next")
		w.follow("Next")
		w.sees("3 of 3", "Dear Ines,")
		w.follow("Edit only this one")
		w.fill("Letter", "Dear Inês,\n\nby hand.")
		w.press("Save this letter")
		w.sees("The letter is saved.", "Dear Inês,")
		w.follow("All of this letter")
		w.press("Keep as a template…")
		w.fill("Its name", "Journeys")
		w.press("Keep the text")
		w.sees("The text is kept as “Journeys”")
		w.press("Send yourself a test")
		w.sees("A test is on its way to")
		w.follow("Show")
		w.sees("Cannot be sent", "No e-mail address")
		w.accessible("mailing-letters")
		w.follow("The letter and its text")
		w.follow("Send 2 letters…")
		w.sees("Harbour <programme@harbour.test>")
		w.press("Send 2 letters")
		w.sees("2 letters go out when this reaches zero")
		w.press("Send now")
		w.follow("Failed")
		w.reloadsUntil("Refused, 550 5.1.1")
		w.sees("Bruno Silva", "Retry 1 letter")
		w.follow("Sent")
		w.reloadsUntil("Ines Carvalho")
		w.sees("Test: ", "Note")
		if n := office.count(); n != 2 { // with the test
			t.Errorf("%d letters arrived", n)
		}
		w.follow("Ines Carvalho")
		w.follow("Ines Carvalho")
		w.sees("Write a letter", "your journey", "Sent")
		w.accessible("person-letters")
	})
}
