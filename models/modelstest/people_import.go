package modelstest

import (
	"bytes"
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// UploadPeople uploads a file of people.
func UploadPeople(t testing.TB, p *models.Programme, content string) *people.ContactImport {
	t.Helper()
	return Must(people.Of(p).UploadContacts(t.Context(), models.Upload{Name: `C:\people.csv`, Content: []byte(content)}))(t)
}

// ImportPeople imports a file of people with a policy, to its end.
func ImportPeople(t testing.TB, f *Fixture, content string, policy people.ImportPolicy) *people.ContactImport {
	t.Helper()
	return ImportPeopleBy(t, f, Tester, content, policy)
}

// ImportPeopleBy is ImportPeople for another actor.
func ImportPeopleBy(t testing.TB, f *Fixture, by store.By, content string,
	policy people.ImportPolicy) *people.ContactImport {
	t.Helper()
	p := f.Store.Programme(f.Event, by)
	return RunImport(t, f, p, UploadPeople(t, p, content).ID, policy)
}

// RunImport imports a file that was uploaded, to its end.
func RunImport(t testing.TB, f *Fixture, p *models.Programme, id string, policy people.ImportPolicy) *people.ContactImport {
	t.Helper()
	Must(people.Of(p).StartImport(t.Context(), id, policy))(t)
	Must(people.RunImport(t.Context(), f.Store))(t)
	return Must(people.Of(p).ContactImport(t.Context(), id))(t)
}

// PersonBy returns the person at the event under test with this address, nil for none.
func PersonBy(t testing.TB, f *Fixture, email string) *models.Person {
	t.Helper()
	p := f.Programme()
	for _, c := range Must(p.FindContacts(t.Context(), email, 5))(t) {
		if c.Email == email && c.Here {
			return Must(p.Directory().Person(t.Context(), c.ID))(t)
		}
	}
	return nil
}

// ManyPeople returns a CSV file of n people.
func ManyPeople(n int) string {
	var out bytes.Buffer
	out.WriteString("First name,Last name,Email,Company\n")
	for i := range n {
		fmt.Fprintf(&out, "Person,%d,person%d@example.org,Company %d\n", i, i, i%7)
	}
	return out.String()
}
