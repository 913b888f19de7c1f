package models

import (
	"context"

	"lectern/models/store"
)

// Starters are texts that a free letter may begin with beside those that staff keep. Their IDs are words.
var Starters = []LetterTemplate{{ID: "invitation", Kind: LetterFree, Name: "Invitation to speak",
	Subject: "Would you speak at {{event}}?", Body: `Dear {{first_name}},

we are putting together the programme of {{event}} and would like you to be part of it.

Would you come and speak? Please answer this letter, and we will talk about what and when.

The programme committee of {{event}}`},
	{ID: PlaceText, Kind: LetterFree, Name: "Invitation to their place", Subject: PlaceInvitation.Subject, Body: PlaceInvitation.Body}}

// PlaceText is the starter that invites people to their places.
const PlaceText = "place"

// PlaceInvitation invites somebody to the place where all that is theirs can be found.
var PlaceInvitation = LetterTemplate{Kind: LetterCall, Subject: "{{event}}: your sessions and what we need from you",
	Body: `Dear {{first_name}},

everything of yours for {{event}} is in one place: your proposals and sessions, with room and time once there are any, the letters we wrote to you, and your profile with your photo. There you can also say whether you come, and when you are away.

This link opens it. It is yours alone, so please do not pass it on:

{{place_link}}

The programme committee of {{event}}`}

// PreviewFree shows what a text would make of a letter of a mailing to somebody, with the values of all its
// placeholders. It
// answers Invalid as SaveMailing does, with the values alone, and NotFound.
func (p *Programme) PreviewFree(ctx context.Context, m *Mailing, contactID, subject, body string) (*LetterPreview, error) {
	bad := cleanLetterOf(LetterFree, &subject, &body)
	contact, err := store.One[Contact](p.read(ctx).Where("organization_id = ? AND id = ?", p.event.OrganizationID,
		contactID), ErrNoPerson)
	if err != nil {
		return nil, err
	}
	changes, err := p.changesOf(p.read(ctx), m)
	if err != nil {
		return nil, err
	}
	facts := p.freeFacts(contact, changes)
	out := &LetterPreview{Name: contact.FullName, Values: map[string]string{}}
	for _, x := range m.Placeholders() {
		out.Values[x.Name] = x.value(facts)
	}
	if bad == nil {
		out.Subject, out.Body = fillWith(subject, out.Values), fillWith(body, out.Values)
	}
	return out, bad
}
