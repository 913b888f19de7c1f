// Package visit is what every page of the admin stands on: who asks, for which event and in which role, the frame
// around the page, its lists and its answers. A room of the admin is a package beside it, and knows no other room.
package visit

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/review"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/page"
	"lectern/web/request"
)

// Visit is one request of a member of staff: who asks, for which event, as what.
// Login and User are nil for a stranger; Event and Programme are nil on pages of the organization.
type Visit struct {
	*page.Visit
	Store     *models.Store
	Options   *Options
	Login     *staff.Login
	User      *staff.User
	Role      staff.Role // at the event; of the organization elsewhere
	Event     *models.Event
	Programme *models.Programme
	around    *Surroundings
	sees      *review.Sight    // see Sight
	toCheck   *int64           // see ToCheck
	Section   string           // address of the list that a record belongs to, for the sidebar
	Spooled   *request.Spooled // the file of a form that may be large, until it is answered; nil without
}

// Sight is which answers to the call this person sees at the event, read once; none where that cannot be told.
func (v *Visit) Sight() *review.Sight {
	if v.sees == nil {
		eyes := review.OpenEyes
		switch {
		case v.May(staff.Organizer):
			eyes = review.OrganizersEyes
		case v.Role == staff.RoundReviewer:
			eyes = review.BlindEyes
		}
		var err error
		if v.sees, err = review.Of(v.Programme).Sight(v.UserContext(), eyes); err != nil {
			v.sees = &review.Sight{Blinded: true}
		}
	}
	return v.sees
}

// Shown are the answers of a record that this person sees, in words. One without answers needs no look at the form.
func (v *Visit) Shown(answers models.Answers) models.Answers {
	if len(answers) == 0 {
		return answers
	}
	seen := v.Sight().Seen(answers)
	for i, a := range seen {
		seen[i] = models.Answer{Key: v.Sight().Label(a.Key), Value: v.Sight().Says(a)}
	}
	return seen
}

// Surroundings are what every page shows around itself.
type Surroundings struct {
	Events []*models.Event // that this person may see
	People int64           // in the directory, as they see it
}

// Surroundings are read once.
func (v *Visit) Surroundings() (*Surroundings, error) {
	if v.around == nil {
		events, people, err := v.Store.EventsAndPeople(v.UserContext(), v.User, v.Directory())
		if err != nil {
			return nil, err
		}
		v.around = &Surroundings{events, people}
	}
	return v.around, nil
}

// Events are those whose people this person may see, by name: not those at which they see what rounds assign, without
// names.
func (v *Visit) Events() ([]*models.Event, error) {
	s, err := v.Surroundings()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(s.Events), func(e *models.Event) bool {
		return !v.User.RoleAt(e.ID).Covers(staff.Viewer)
	}), nil
}

func (w *Web) visit(c *fiber.Ctx) *Visit {
	return &Visit{Visit: w.site.Visit(c), Store: w.store, Options: &w.options}
}

// By is who changes something, and by which way.
func (v *Visit) By() store.By {
	by := v.From()
	by.ActorID, by.ActorName = v.User.ID, v.User.Name
	return by
}

// LoginCookie holds the token of a login.
const LoginCookie = "lectern"

// identify finds the login of the browser, if it has one.
func (v *Visit) identify() error {
	if token := v.CookieValue(LoginCookie); token != "" {
		login, err := v.Store.Staff.LoginBy(v.UserContext(), token)
		switch {
		case err == nil:
			v.Bind(token)
			v.Login, v.User = login, login.User
			if v.User != nil {
				if v.User, err = review.Narrow(v.UserContext(), v.Store, v.User); err != nil {
					return err
				}
				v.Role = v.User.RoleAt("") // that of who has one everywhere
			}
		case store.KindOf(err) == store.Unauthorized:
			v.DropCookie(LoginCookie)
		default:
			return err
		}
	}
	v.ReadNotice()
	return nil
}

// Leave forgets the login of this browser, for what comes after the answer.
func (v *Visit) Leave() {
	v.DropCookie(LoginCookie)
	v.Login, v.User = nil, nil
	v.NameBrowser()
}

// admit lets in who has the role that a route needs.
func (v *Visit) admit(needs Access) error {
	if needs == Anyone {
		return nil
	}
	switch {
	case v.User == nil:
		return signin.ErrSignedOut
	case needs == Enrolling:
		return nil
	case v.Login.OwesFactor:
		return errOwesFactor
	case slices.Contains([]Access{SignedIn, Directory, Exporting, Owner, AllEvents}, needs):
		return v.admitToOrganization(needs)
	}
	event, role, err := v.Store.EventFor(v.UserContext(), v.User, v.Params("event"))
	if err != nil {
		if store.KindOf(err) == store.NotFound {
			v.denied("event")
		}
		return err
	}
	v.Event, v.Role = event, role
	v.Programme = v.ProgrammeOf(event)
	if needs == SeesPeople {
		if role.SeesPeople() {
			return nil
		}
		return store.Missing("There is no such page for you here. What you review stands under Reviews.")
	}
	if needs != AnyRole && !role.Covers(staff.Role(needs)) {
		if role == staff.RoundReviewer { // of the rest of the event they are told nothing
			return store.Missing("There is no such page for you here. What you review stands under Reviews.")
		}
		return &forbidden{staff.Role(needs)}
	}
	return nil
}

// admitToOrganization is admit for what belongs to no event.
func (v *Visit) admitToOrganization(needs Access) error {
	switch {
	case needs == Owner && v.User.RoleAt("") != staff.Owner:
		return &forbidden{staff.Owner}
	case needs == AllEvents && !v.MayEverywhere(), needs == Exporting && !v.Organizes():
		return &forbidden{staff.Organizer}
	case needs == Directory && !v.seesPeople():
		return store.Missing("There is no such page for you here. What you review stands under Reviews.")
	}
	return nil
}

// ProgrammeOf is that of an event as this person sees it: drafts and confidential fields are for who organizes, people
// not for who only reviews.
func (v *Visit) ProgrammeOf(event *models.Event) *models.Programme {
	p := v.Store.Programme(event, v.By()).Reaching(models.ReachOf(v.User))
	switch role := v.User.RoleAt(event.ID); {
	case role.Covers(staff.Organizer):
		return p
	case role.SeesPeople():
		return p.AsViewer()
	}
	return p.AsReviewer()
}

// May tells whether this person could use what needs a role, so that pages do not offer it in vain.
func (v *Visit) May(needs staff.Role) bool { return v.Role.Covers(needs) }

// MayEverywhere is may for what belongs to the organization.
func (v *Visit) MayEverywhere() bool {
	return v.User.RoleAt("").Covers(staff.Organizer)
}

// denied tells the security log that somebody was refused what is not for them.
func (v *Visit) denied(of string) {
	v.Store.Note(store.Incident{
		Event: store.Denied, By: v.By(), OrganizationID: v.User.OrganizationID, Facts: map[string]any{"of": of},
	})
}

// Zone is that of the event, or UTC where there is none.
func (v *Visit) Zone() *time.Location {
	if v.Event == nil {
		return time.UTC
	}
	return v.Event.Location()
}

// Tenant is the organization of who is signed in.
func (v *Visit) Tenant() *store.Tenant {
	return v.Store.Organization(v.User.OrganizationID, v.By())
}

// Now is the present moment, by the clock of the options.
func (v *Visit) Now() store.Time { return store.At(v.Options.Now()) }
