// Package desk serves the pages that show where an event stands: the dashboard, what waits for reviewers, the activity,
// and the search.
package desk

import "lectern/web/admin/visit"

// Routes are the addresses of the dashboard, the search, the activity and the reviews.
var Routes = []visit.Address{
	visit.At("/admin/find", visit.SignedIn, findAnywhere, nil),
	visit.At(visit.Event, visit.AnyRole, dashboard, nil),
	visit.At(visit.Event+"/find", visit.AnyRole, find, nil),
	visit.At(visit.Event+"/activity", visit.Viewer, visit.Tidy(listActivity), nil),
	visit.At(visit.Event+"/reviews", visit.RoundReviewer, listReviews, nil),
}
