package server

import (
	"lectern/models/modelstest"
	"testing"
)

// TestTheLogHasNothingThatOpensADoor asks of each address with a token what the log says of it.
func TestTheLogHasNothingThatOpensADoor(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/invitations/secret": "/invitations/…", "/reset/secret": "/reset/…", "/downloads/secret": "/downloads/…",
		"/events/harbour/place/link/secret": "/events/harbour/place/link/…", "/events/harbour/place/join/secret": "/events/harbour/place/join/…",
		"/events/harbour/place/fresh/secret": "/events/harbour/place/fresh/…", "/events/harbour/agenda": "/events/harbour/agenda",
	} {
		modelstest.Want(t, path+" is logged as", loggedPath(path), want)
	}
}
