package stage

import (
	"net/http"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

func TestTheDemonstrationsReceiverIsMostlyWell(t *testing.T) {
	t.Parallel()
	r := modelstest.Must(StartReceiver())(t)
	send := func(event, attempt string) int {
		t.Helper()
		request := modelstest.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL(),
			strings.NewReader("{}")))(t)
		request.Header.Set("x-service-event-id", event)
		request.Header.Set("x-service-attempt", attempt)
		response := modelstest.Must(http.DefaultClient.Do(request))(t)
		response.Body.Close()
		return response.StatusCode
	}
	well, again, lost := 0, 0, 0
	for _, event := range strings.Split("abcdefghijkl", "") {
		switch {
		case send(event, "1") == http.StatusNoContent:
			well++
		case send(event, "2") == http.StatusNoContent:
			again++
		default:
			lost++
		}
	}
	if well != 10 || again != 1 || lost != 1 {
		t.Errorf("%d delivered, %d by the retry, %d not", well, again, lost)
	}
	r.Close()
	if _, err := http.Post(r.URL(), "", nil); err == nil {
		t.Error("it goes on when it is closed")
	}
}
