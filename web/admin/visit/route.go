package visit

import (
	"net/http"

	"lectern/models/staff"
)

// Access is who may come in by a route.
type Access string

const (
	// Anyone may come in, signed in or not.
	Anyone Access = "anyone"
	// SignedIn is every member of staff.
	SignedIn Access = "signed in"
	// Enrolling is who is signed in, also without a second factor that is required.
	Enrolling     Access = "enrolling"
	AnyRole       Access = "any role" // at the event of the path
	Viewer               = Access(staff.Viewer)
	Reviewer             = Access(staff.Reviewer)
	RoundReviewer        = Access(staff.RoundReviewer) // a reviewer, also one who sees only what rounds assign
	Organizer            = Access(staff.Organizer)
	// SeesPeople is who sees the people of the path's event beside what they review, and Directory who sees those of any.
	SeesPeople Access = "people"
	Directory  Access = "directory"
	// Exporting is who organizes an event, or all.
	Exporting Access = "exporting"
	// AllEvents is an organizer of all events, or an owner.
	AllEvents Access = "all events"
	Owner            = Access(staff.Owner)
)

// Handler answers a request of somebody who was let in.
type Handler func(*Visit) error

// Route is an address by one method.
type Route struct {
	Method, Path string
	Needs        Access
	handle       Handler
}

// Address is a row of a table of addresses: its path, who may come in, what answers GET, and what answers POST.
type Address struct {
	path      string
	needs     Access
	get, post Handler
}

// At makes a row of a table of addresses. A nil handler means that the method is not answered there.
func At(path string, needs Access, get, post Handler) Address { return Address{path, needs, get, post} }

// RoutesOf are the routes of addresses, in their order.
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
