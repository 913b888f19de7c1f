package visit

import (
	"net/http"

	"lectern/models/staff"
)

// Access says who may use a route.
type Access string

const (
	// Anyone needs no sign-in.
	Anyone Access = "anyone"
	// SignedIn is any member of staff.
	SignedIn Access = "signed in"
	// Enrolling is anybody signed in, even without a required second factor.
	Enrolling     Access = "enrolling"
	AnyRole       Access = "any role" // at the path's event
	Viewer               = Access(staff.Viewer)
	Reviewer             = Access(staff.Reviewer)
	RoundReviewer        = Access(staff.RoundReviewer) // a reviewer, even one who sees only what rounds assign
	Organizer            = Access(staff.Organizer)
	// SeesPeople is a user who sees the people of the path's event, beyond those they review; Directory sees those of
	// any event.
	SeesPeople Access = "people"
	Directory  Access = "directory"
	// Exporting is a user who organizes at least one event.
	Exporting Access = "exporting"
	// AllEvents is an organizer of all events, or an owner.
	AllEvents Access = "all events"
	Owner            = Access(staff.Owner)
)

// Handler answers a request that was admitted.
type Handler func(*Visit) error

// Route is one method of an address.
type Route struct {
	Method, Path string
	Needs        Access
	handle       Handler
}

// Address is a row of a room's table of routes: a path, who may use it, and the handlers of GET and POST.
type Address struct {
	path      string
	needs     Access
	get, post Handler
}

// At returns a row of a table of routes. A nil handler leaves the method unanswered.
func At(path string, needs Access, get, post Handler) Address { return Address{path, needs, get, post} }

// RoutesOf returns the routes of addresses, in their order.
func RoutesOf(addresses []Address) (all []Route) {
	for _, a := range addresses {
		if a.get != nil {
			all = append(all, Route{http.MethodGet, a.path, a.needs, a.get})
		}
		if a.post != nil {
			all = append(all, Route{http.MethodPost, a.path, a.needs, a.post})
		}
	}
	return all
}
