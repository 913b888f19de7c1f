// Package visit holds what every page of the admin needs: who asks, for which event and in which role, the frame around
// the page, its lists and its answers. A room of the admin is a package beside it, and most know no other room.
package visit

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/page"
	"lectern/web/request"
)

// Visit is one request to the admin: who asks, for which event, in which role. Login and User are nil for a stranger;
// Event and Programme are nil on pages of the organization.
type Visit struct {
	*page.Visit
	Store     *models.Store
	Options   *Options
	Login     *staff.Login
	User      *staff.User
	Role      staff.Role // at the event; elsewhere the role at all events
	Event     *models.Event
	Programme *models.Programme
	around    *Surroundings
	sees      *reviews.Sight   // cache of Sight
	toCheck   *int64           // cache of ToCheck
	Section   string           // address of the list that a record belongs to, for the sidebar
	Spooled   *request.Spooled // the file of an upload that spools, closed after the answer; nil for none
}

// Sight returns which answers to the call this user sees at the event, read once; none where reading that fails.
func (v *Visit) Sight() *reviews.Sight {
	if v.sees == nil {
		eyes := reviews.OpenEyes
		switch {
		case v.May(staff.Organizer):
			eyes = reviews.OrganizersEyes
		case v.Role == staff.RoundReviewer:
			eyes = reviews.BlindEyes
		}
		var err error
		if v.sees, err = reviews.Of(v.Programme).Sight(v.UserContext(), eyes); err != nil {
			v.sees = &reviews.Sight{Blinded: true}
		}
	}
	return v.sees
}

// Shown returns the answers of a record that this user sees, in words. It does not read the form for a record without
// answers.
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

// Surroundings are what the frame of every page shows.
type Surroundings struct {
	Events []*models.Event // those that this user may see
	People int64           // size of the directory, as they see it
}

// Surroundings reads them once per request.
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

// Events returns the events whose people this user may see, by name: not those where they review blindly what rounds
// assign to them.
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

// By returns who makes this request's changes, and through which door.
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
				if v.User, err = reviews.Narrow(v.UserContext(), v.Store, v.User); err != nil {
					return err
				}
				v.Role = v.User.RoleAt("") // the role at all events, if they have one
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

// Leave forgets the login of this browser, also for the rest of this answer.
func (v *Visit) Leave() {
	v.DropCookie(LoginCookie)
	v.Login, v.User = nil, nil
	v.NameBrowser()
}

// admit checks that the user may use a route, and sets the visit's event, role and programme.
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
		if role == staff.RoundReviewer { // they are told nothing of the rest of the event
			return store.Missing("There is no such page for you here. What you review stands under Reviews.")
		}
		return &forbidden{staff.Role(needs)}
	}
	return nil
}

// admitToOrganization is admit for pages that belong to no event.
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

// ProgrammeOf returns an event's programme as this user sees it: organizers see drafts and confidential fields, users
// who only review see no people.
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

// May tells whether this user's role covers another, so that pages offer only what the user may do.
func (v *Visit) May(needs staff.Role) bool { return v.Role.Covers(needs) }

// MayEverywhere tells whether this user is an organizer of all events, or an owner.
func (v *Visit) MayEverywhere() bool {
	return v.User.RoleAt("").Covers(staff.Organizer)
}

// denied writes to the security log that this user was refused something.
func (v *Visit) denied(of string) {
	v.Store.Note(store.Incident{
		Event: store.Denied, By: v.By(), OrganizationID: v.User.OrganizationID, Facts: map[string]any{"of": of},
	})
}

// Zone returns the event's zone, UTC where there is no event.
func (v *Visit) Zone() *time.Location {
	if v.Event == nil {
		return time.UTC
	}
	return v.Event.Location()
}

// Tenant returns the organization of the user.
func (v *Visit) Tenant() *store.Tenant {
	return v.Store.Organization(v.User.OrganizationID, v.By())
}

// Now returns the present moment by the clock of the options.
func (v *Visit) Now() store.Time { return store.At(v.Options.Now()) }
