package models

import (
	"slices"

	"lectern/models/store"
)

// LetterTemplate is the text that letters of a kind are written from. Version is its token, which its letters
// remember; an unchanged default has the ID "".
type LetterTemplate struct {
	ID        string
	EventID   string
	Kind      LetterKind
	Name      string // of a free one
	Subject   string
	Body      string
	Version   int
	ByName    string
	CreatedAt store.Time
	UpdatedAt store.Time
}

// LetterDefaults are the templates of decisions and their undoing until staff change them.
var LetterDefaults = []LetterTemplate{
	{Kind: LetterAccepted, Version: 2, Subject: "{{event}}: yes to “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We would be glad to have it at {{event}}.

You will hear from us again once there is a time and a room for it. Please tell us whether you can come. This link opens your place, where you find all that is yours:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterDeclined, Version: 2, Subject: "{{event}}: about “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We read it with care and could not find a place for it at {{event}} this time.

We had far more proposals than hours, and said no to many that we liked. We hope to see you at {{event}} all the same.

What you sent us stays in your place, which this link opens:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterUndone, Version: 1, Subject: "{{event}}: please set our last letter aside", Body: `Dear {{first_name}},

our last letter about “{{session_title}}” ({{session_id}}) went out by mistake. Please set it aside: we have not decided yet.

We are sorry for the confusion, and will write to you again as soon as there is a decision.

The programme committee of {{event}}`},
}

// Template reads the template of a decision; a batch reads each once.
func (p *Programme) Template(tx *store.Tx, kind LetterKind) (*LetterTemplate, error) {
	if t := p.templates[kind]; t != nil {
		return t, nil
	}
	t, err := store.One[LetterTemplate](tx.Where("event_id = ? AND kind = ?", p.event.ID, kind), nil)
	if err != nil {
		return nil, err
	}
	if t == nil {
		at := slices.IndexFunc(LetterDefaults, func(d LetterTemplate) bool { return d.Kind == kind })
		t = new(LetterDefaults[at])
	}
	if p.templates != nil {
		p.templates[kind] = t
	}
	return t, nil
}
