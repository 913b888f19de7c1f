package modelstest

import (
	"strings"
	"testing"
	"time"

	"lectern/models/frab"
)

// TwoTalks returns a schedule of two sessions in a hall, with two people of the same name. The first session has this
// title and text.
func TwoTalks(t *testing.T, title, text string) *frab.Schedule {
	t.Helper()
	return Must(frab.Parse(strings.NewReader(`<schedule><conference><title>C</title></conference>
	<day date="2027-05-20"><room name="Hall">
		<event id="1"><start>10:00</start><duration>00:30</duration><title>`+title+`</title><track>Data</track><type>talk</type>
			<abstract>`+text+`</abstract><persons><person id="7">Ada Ng</person><person id="8">Ada Ng</person></persons></event>
		<event id="2"><start>11:00</start><duration>00:30</duration><title>Second</title><persons><person id="7">Ada Ng</person></persons></event>
	</room></day></schedule>`), time.UTC))(t)
}
