package admin

import (
	"net/http"

	"lectern/models/staff"
)

// access is who may come in by a route.
type access string

const (
	anyone   access = "anyone"
	signedIn access = "signed in"
	// enrolling is who is signed in, also without a second factor that is required.
	enrolling     access = "enrolling"
	anyRole       access = "any role" // at the event of the path
	viewer               = access(staff.Viewer)
	reviewer             = access(staff.Reviewer)
	roundReviewer        = access(staff.RoundReviewer) // a reviewer, also one who sees only what rounds assign
	organizer            = access(staff.Organizer)
	// seesPeople is who sees the people of the path's event beside what they review, and directory who sees those of any.
	seesPeople access = "people"
	directory  access = "directory"
	// exporting is who organizes an event, or all.
	exporting access = "exporting"
	// allEvents is an organizer of all events, or an owner.
	allEvents access = "all events"
	owner            = access(staff.Owner)
)

// handler answers a request of who was let in.
type handler func(*visit) error

// route is an address by one method.
type route struct {
	method, path string
	needs        access
	handle       handler
}

// address is where something is, who may come in, what answers GET, and what answers POST.
type address struct {
	path      string
	needs     access
	get, post handler
}

// at is a row of a table of addresses.
func at(path string, needs access, get, post handler) address { return address{path, needs, get, post} }

// routesOf are the routes of addresses, in their order.
func routesOf(addresses []address) (all []route) {
	for _, a := range addresses {
		if a.get != nil {
			all = append(all, route{http.MethodGet, a.path, a.needs, a.get})
		}
		if a.post != nil {
			all = append(all, route{http.MethodPost, a.path, a.needs, a.post})
		}
	}
	return all
}
