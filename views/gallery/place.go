package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/layouts"
	"lectern/views/pages/cfp"
)

// eventSheet is the frame of an event's page, for somebody or for strangers.
func eventSheet(who string) layouts.Public {
	p := layouts.Public{When: "10 and 11 June 2027", City: "Oslo", Path: here, ZoneTo: here, Leave: here,
		Links: []layouts.Link{{Name: "Call for papers", URL: here}, {Name: "My proposals", URL: here, Current: true}}}
	p.Of = "Tidvann 2027"
	if who != "" {
		p.Who, p.Questions, p.Zone = who, "program@tidvann.example", "New York"
		p.Came = layouts.Came{Address: "i…@sorlie.example", Until: "10 May 2027", Confirmed: true}
		p.Links = append(p.Links, layouts.Link{Name: "Profile", URL: here}, layouts.Link{Name: "Availability", URL: here})
	}
	return p
}

// trouble is a problem on an event's page.
type trouble struct {
	layouts.Public
	layouts.Reason
}

// leaf is an event's page with some words.
type leaf struct {
	layouts.Public
	words
}

// place are the pages of those who speak.
func (s *shelf) place() {
	of(s, "Frame of an event", "Harbour", func(p leaf) templ.Component { return ofEvent(p.Public, p.words) }).
		worded(func(w words) leaf { return leaf{eventSheet(w.person), w} })
	of(s, "Come in", "Come to your place", cfp.SignIn).
		is("empty", cfp.SignInPage{Public: eventSheet(""), Mailed: true}).
		is("without mail", cfp.SignInPage{Public: eventSheet("")}).
		is("asked", cfp.SignInPage{Public: eventSheet(""), Mailed: true, Asked: true, Email: plain.email}).
		is("faults", cfp.SignInPage{Public: eventSheet(""), Mailed: true, Email: long.email}, "",
			"The address or the password is wrong.")
	of(s, "Problem of an event", "There is nothing here", func(p trouble) templ.Component {
		return layouts.Trouble(p.Public, p.Reason)
	}).
		is("not there", trouble{eventSheet(plain.person), layouts.Reason{Text: "There is no page at this address.",
			RequestID: "5d2b9a40c701"}})
}
