package api

import (
	"context"
	"fmt"
	"slices"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
)

type setParticipantsInput struct {
	OfSession
	Body SessionPeople
}

// SessionPeople is the body that sets the people of a session.
type SessionPeople struct {
	Participants []SessionPerson `json:"participants" nullable:"false" maxItems:"100" doc:"All of them, in their order"`
	Token
}

// SessionPerson is a person of the event, given by id or by address.
type SessionPerson struct {
	ID        string      `json:"id,omitempty" doc:"The contact id of somebody who is at the event"`
	Email     string      `json:"email,omitempty" doc:"Without an id: who has this address, or a new contact; needs write:contacts"`
	FirstName string      `json:"first_name,omitempty" doc:"With an address, a first or last name is needed; it is that of a new contact, and changes no other"`
	LastName  string      `json:"last_name,omitempty" doc:"Of a new contact"`
	Role      models.Role `json:"role,omitempty" enum:"speaker,moderator,chairperson" doc:"Default: speaker"`
}

func (a *API) setParticipants(ctx context.Context, who *caller, in *setParticipantsInput) (*models.Session, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	people, err := in.Body.people()
	if err != nil {
		return nil, err
	}
	isNew := func(x models.Participation) bool { return x.New != nil }
	if slices.ContainsFunc(people, isNew) && !who.key.Has(apikey.WriteContacts) {
		return nil, who.lacks(ctx, apikey.WriteContacts)
	}
	return who.ChangePeople(ctx, id, models.PeopleChange{People: people, UpdatedAt: in.Body.UpdatedAt})
}

func (b *SessionPeople) people() ([]models.Participation, error) {
	people := make([]models.Participation, len(b.Participants))
	var f store.Faults
	for i, x := range b.Participants {
		people[i] = models.Participation{ContactID: x.ID, Role: x.Role}
		fault := func(field, message string) {
			f.Add(store.Invalidf(fmt.Sprintf("participants[%d].%s", i, field), "%s", message))
		}
		switch {
		case x.ID != "" && x.FirstName+x.LastName != "":
			fault("first_name", "belongs to new people, who have no id")
		case x.ID == "" && x.Email == "":
			fault("email", "is required of who has no id")
		case x.ID == "":
			people[i].New = &models.NewContact{Email: x.Email, FirstName: x.FirstName, LastName: x.LastName}
		}
	}
	return people, f.Err()
}
