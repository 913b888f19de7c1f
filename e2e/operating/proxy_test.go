package operating

import (
	"fmt"
	"net/http"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestFailedKeysAreCountedByTheAddressTheProxySaw(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_TRUSTED_PROXIES=127.0.0.1")
	s.Serve("serve")
	try := func(forwarded string) int {
		request := modelstest.Must(http.NewRequest("GET", s.Base+"/v1/events", nil))(t)
		request.Header.Set("X-Forwarded-For", forwarded)
		response := modelstest.Must(http.DefaultClient.Do(request))(t)
		response.Body.Close()
		return response.StatusCode
	}
	limited := 0
	for i := range 130 { // at most two windows of a minute
		if try(fmt.Sprintf("198.51.100.%d, 203.0.113.7", i)) == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("a caller who writes other addresses in front is never limited")
	}
	modelstest.Want(t, "another address is answered", try("203.0.113.8"), 401)
}
