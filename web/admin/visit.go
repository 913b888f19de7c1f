package admin

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/review"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/page"
)

// visit is one request of a member of staff: who asks, for which event, as what.
type visit struct {
	*page.Visit
	store     *models.Store
	options   *Options
	login     *staff.Login
	user      *staff.User
	role      staff.Role // at the event; of the organization elsewhere
	event     *models.Event
	programme *models.Programme
	around    *surroundings
	sees      *models.Sight // see sight
	section   string        // address of the list that a record belongs to, for the sidebar
}

// sight is which answers to the call this person sees at the event, read once; none where that cannot be told.
func (v *visit) sight() *models.Sight {
	if v.sees == nil {
		eyes := models.OpenEyes
		switch {
		case v.may(staff.Organizer):
			eyes = models.OrganizersEyes
		case v.role == staff.RoundReviewer:
			eyes = models.BlindEyes
		}
		var err error
		if v.sees, err = v.programme.Sight(v.UserContext(), eyes); err != nil {
			v.sees = &models.Sight{Blinded: true}
		}
	}
	return v.sees
}

// shown are the answers of a record that this person sees, in words. One without answers needs no look at the form.
func (v *visit) shown(answers models.Answers) models.Answers {
	if len(answers) == 0 {
		return answers
	}
	seen := v.sight().Seen(answers)
	for i, a := range seen {
		seen[i] = models.Answer{Key: v.sight().Label(a.Key), Value: v.sight().Says(a)}
	}
	return seen
}

// surroundings are what every page shows around itself.
type surroundings struct {
	events []*models.Event // that this person may see
	people int64           // in the directory, as they see it
}

// surroundings are read once.
func (v *visit) surroundings() (*surroundings, error) {
	if v.around == nil {
		events, people, err := v.store.EventsAndPeople(v.UserContext(), v.user, v.directory())
		if err != nil {
			return nil, err
		}
		v.around = &surroundings{events, people}
	}
	return v.around, nil
}

// events are those whose people this person may see, by name: not those at which they see what rounds assign, without
// names.
func (v *visit) events() ([]*models.Event, error) {
	s, err := v.surroundings()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(s.events), func(e *models.Event) bool {
		return !v.user.RoleAt(e.ID).Covers(staff.Viewer)
	}), nil
}

func (w *Web) visit(c *fiber.Ctx) *visit {
	return &visit{Visit: w.site.Visit(c), store: w.store, options: &w.options}
}

// by is who changes something, and by which way.
func (v *visit) by() store.By {
	by := v.From()
	by.ActorID, by.ActorName = v.user.ID, v.user.Name
	return by
}

const loginCookie = "lectern"

// identify finds the login of the browser, if it has one.
func (v *visit) identify() error {
	if token := v.CookieValue(loginCookie); token != "" {
		login, err := v.store.Staff.LoginBy(v.UserContext(), token)
		switch {
		case err == nil:
			v.Bind(token)
			v.login, v.user = login, login.User
			if v.user != nil {
				if v.user, err = review.Narrow(v.UserContext(), v.store, v.user); err != nil {
					return err
				}
				v.role = v.user.RoleAt("") // that of who has one everywhere
			}
		case store.KindOf(err) == store.Unauthorized:
			v.DropCookie(loginCookie)
		default:
			return err
		}
	}
	v.ReadNotice()
	return nil
}

// leave forgets the login of this browser, for what comes after the answer.
func (v *visit) leave() {
	v.DropCookie(loginCookie)
	v.login, v.user = nil, nil
	v.NameBrowser()
}

// admit lets in who has the role that a route needs.
func (v *visit) admit(needs access) error {
	if needs == anyone {
		return nil
	}
	switch {
	case v.user == nil:
		return signin.ErrSignedOut
	case needs == enrolling:
		return nil
	case v.login.OwesFactor:
		return errOwesFactor
	case slices.Contains([]access{signedIn, directory, exporting, owner, allEvents}, needs):
		return v.admitToOrganization(needs)
	}
	event, role, err := v.store.EventFor(v.UserContext(), v.user, v.Params("event"))
	if err != nil {
		if store.KindOf(err) == store.NotFound {
			v.denied("event")
		}
		return err
	}
	v.event, v.role = event, role
	v.programme = v.programmeOf(event)
	if needs == seesPeople {
		if role.SeesPeople() {
			return nil
		}
		return store.Missing("There is no such page for you here. What you review stands under Reviews.")
	}
	if needs != anyRole && !role.Covers(staff.Role(needs)) {
		if role == staff.RoundReviewer { // of the rest of the event they are told nothing
			return store.Missing("There is no such page for you here. What you review stands under Reviews.")
		}
		return &forbidden{staff.Role(needs)}
	}
	return nil
}

// admitToOrganization is admit for what belongs to no event.
func (v *visit) admitToOrganization(needs access) error {
	switch {
	case needs == owner && v.user.RoleAt("") != staff.Owner:
		return &forbidden{staff.Owner}
	case needs == allEvents && !v.mayEverywhere(), needs == exporting && !v.organizes():
		return &forbidden{staff.Organizer}
	case needs == directory && !v.seesPeople():
		return store.Missing("There is no such page for you here. What you review stands under Reviews.")
	}
	return nil
}

// programmeOf is that of an event as this person sees it: drafts and confidential fields are for who organizes, people
// not for who only reviews.
func (v *visit) programmeOf(event *models.Event) *models.Programme {
	p := v.store.Programme(event, v.by()).Reaching(models.ReachOf(v.user))
	switch role := v.user.RoleAt(event.ID); {
	case role.Covers(staff.Organizer):
		return p
	case role.SeesPeople():
		return p.AsViewer()
	}
	return p.AsReviewer()
}

// may tells whether this person could use what needs a role, so that pages do not offer it in vain.
func (v *visit) may(needs staff.Role) bool { return v.role.Covers(needs) }

// mayEverywhere is may for what belongs to the organization.
func (v *visit) mayEverywhere() bool {
	return v.user.RoleAt("").Covers(staff.Organizer)
}

// denied tells the security log that somebody was refused what is not for them.
func (v *visit) denied(of string) {
	v.store.Note(store.Incident{
		Event: store.Denied, By: v.by(), OrganizationID: v.user.OrganizationID, Facts: map[string]any{"of": of},
	})
}
