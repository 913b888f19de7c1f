package reviews

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestLettersAreDraftedReadAndSent goes from a decision to the letters of its people.
func TestLettersAreDraftedReadAndSent(t *testing.T) {
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
		record := w.URL()
		w.Follow("Letters")
		w.Sees("No drafts")
		w.Follow("Templates")
		w.Fill("Letter", "Dear {{first_name}},\n\nyes, from {{travel_desk}}.")
		w.Press("Save the template")
		w.Sees("{{travel_desk}}, which is no placeholder here")
		w.Accessible("letter-template")
		w.Fill("Letter", "Dear {{first_name}},\n\nyes to {{session_title}}.")
		w.Press("Save the template")
		w.Sees("The template is saved.")

		w.Visit(record)
		w.Press("To accept queue")
		w.Press("Accept…")
		w.Press("Accept A-1")
		w.Follow("Letters")
		w.Sees("Ines Carvalho", "Bruno Silva", "Plum", "has no e-mail address, so no letter can reach them")
		w.Accessible("letters-drafts")
		w.Follow("Ines Carvalho")
		w.Sees("1 of 2", "Dear Ines,", "yes to Harbour logs.")
		w.Fill("Letter", "Dear Inês,\n\nby hand.")
		w.Press("Save this letter")
		w.Sees("The letter is saved.", "Dear Inês,", "Edited by hand")
		w.Accessible("letter")
		w.Follow("Next")
		w.Sees("2 of 2", "Dear Bruno,")
		w.Follow("Letters")
		w.Follow("Send 2 letters…")
		w.Sees("2 letters to 2 people", "Harbour <programme@harbour.test>")
		w.Press("Send 2 letters")
		w.Sees("2 letters go out when this reaches zero", "Nothing has left yet")
		w.Accessible("letters-held")
		w.Press("Cancel sending")
		w.Sees("2 letters are drafts again.")
		w.Follow("Send 2 letters…")
		w.Press("Send 2 letters")
		modelstest.Want(t, "letters left while they were held", office.Count(), 0)
		w.Press("Send now")
		w.Follow("Failed")
		w.ReloadsUntil("Refused, 550 5.1.1")
		w.Sees("Bruno Silva", "The address does not exist", "Retry 1 letter")
		w.Accessible("letters-failed")
		w.Follow("Sent")
		w.ReloadsUntil("Ines Carvalho")
		modelstest.Want(t, "letters arrived", office.Count(), 1)
	})
}
