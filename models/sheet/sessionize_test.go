package sheet_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/sheet"
)

func TestSheetsOfSessionizeBringAllSpeakersAndNoOwnerWhoIsNone(t *testing.T) {
	const begin = "Session Id,Title,Description,Owner,Owner Email,"
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, of := range []struct {
			file         string
			people, kept []string
		}{
			{begin + "Speakers,Session format,Track,Level,Status,Date Submitted,Owner Notes,Speaker Ids\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,\"Ada Lovelace, Bo Li\",Talk,Data,All,Accepted,1 May,Early,a b\n",
				[]string{"Ada Lovelace ", "Bo Li "},
				[]string{"Owner: Cy Twombly", "Owner Email: cy@example.org", "Date Submitted: 1 May", "Owner Notes: Early", "Speaker Ids: a b"}},
			{begin + "Session format,Track,Status,Speaker Id,FirstName,LastName,Email,TagLine,Bio,Twitter\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,Talk,Data,Accepted,a,Ada,Lovelace,ada@example.org,Engineer,Writes,@ada\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,Talk,Data,Accepted,b,Bo,Li,bo@example.org,,Reads,@bo\n",
				[]string{"Ada Lovelace ada@example.org", "Bo Li bo@example.org"},
				[]string{"Owner: Cy Twombly", "Owner Email: cy@example.org", "Speaker Id: a\nb", "Twitter: @ada\n@bo"}},
			{begin + "Status\n1,Harbours,,Cy Twombly,cy@example.org,Accepted\n", []string{"Cy Twombly cy@example.org"}, nil},
		} {
			rows := read(t, f, []byte(of.file))
			modelstest.Want(t, "skipped", len(rows.Count().Skipped), 0)
			people, kept := saidBy(t, rows)
			wants(t, "people", people, of.people)
			wants(t, "answers", kept, of.kept)
		}
		brings(t, f, []byte(begin+"FirstName,LastName,Email\n1,Harbours,,Cy T,cy@example.org,Ada,Lovelace,ada@example.org\n"+
			"1,Harbours,,Cy T,cy@example.org,Bo,Li,bo@example.org\n"))
		wants(t, "submissions", told(t, f, true), []string{"Harbours|pending|-|-|-|Ada Lovelace, Bo Li"})
	})
}

// saidBy are the people of a table with their addresses, and what it keeps as answers.
func saidBy(t *testing.T, rows *sheet.Sheet) (people, kept []string) {
	t.Helper()
	modelstest.Fine(t, rows.People(t.Context(), func(some []moving.Person) error {
		for _, p := range some {
			people = append(people, p.FirstName+" "+p.LastName+" "+p.Email)
		}
		return nil
	}))
	labels := map[string]string{}
	for _, q := range modelstest.Must(rows.Frame(t.Context()))(t).Questions {
		labels[q.Key] = q.Label
	}
	modelstest.Fine(t, rows.Submissions(t.Context(), func(some []moving.Submission) error {
		for _, one := range some {
			for _, a := range one.Answers {
				kept = append(kept, labels[a.Question]+": "+a.Values[0])
			}
		}
		return nil
	}))
	return people, kept
}
