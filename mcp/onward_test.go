package mcp_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lectern/mcp"
	"lectern/models"
	"lectern/models/modelstest"
)

var goesOn = regexp.MustCompile(`… \[\d+ of \d+ chars, offset (\d+) goes on\]$`)

func TestALongDescriptionIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.Open(t, "sqlite"), mcp.Options{FullText: 30})
	for _, text := range []string{"short", strings.Repeat("é", 30), strings.Repeat("é", 31), strings.Repeat("Täglich 潮 & ", 40)} {
		s := d.abstract("Tides", models.SessionInput{Description: &text})
		read, calls := onward(func(offset int) any {
			got := d.tool("get_submission", object{"submission_id": s.FriendlyID, "offset": offset})
			if got["friendly_id"] != s.FriendlyID || (got["title"] == nil) != (offset > 0) {
				t.Errorf("from %d it tells %v", offset, got)
			}
			return got["description"]
		})
		want := strings.TrimSpace(text)
		if length := len([]rune(want)); read != want || calls != 1+max(0, length-30+89)/90 {
			t.Errorf("%d calls for %d characters read %q, want %q", calls, length, read, want)
		}
		whole := d.tool("get_submission", object{"submission_id": s.ID})
		modelstest.Want[any](t, "title without an offset", whole["title"], "Tides")
		message, _ := d.refused("get_submission", object{"submission_id": s.ID, "offset": len([]rune(want))}, 400)
		has(t, message, fmt.Sprint("less than ", len([]rune(want))))
	}
}

// onward reads a text to its end: read answers with it, from an offset on, and how it is cut.
func onward(read func(offset int) any) (text string, calls int) {
	for offset := 0; ; calls++ {
		part, _ := read(offset).(string)
		text += goesOn.ReplaceAllString(part, "")
		found := goesOn.FindStringSubmatch(part)
		if found == nil {
			return text, calls + 1
		}
		offset, _ = strconv.Atoi(found[1])
	}
}

func TestLongAnswersAndBiographiesAreReadToTheirEnds(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.Open(t, "sqlite"), mcp.Options{FullText: 30})
	long := strings.Repeat("Täglich 潮 & ", 15)
	s := d.abstract("Tides", models.SessionInput{Description: new("short"),
		CustomFields: &models.AnswersInput{{Key: "why", Value: long}, {Key: "size", Value: "s"}}})
	ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada", About: "<p>" + long + "</p>"})
	text, calls := onward(func(offset int) any {
		got := d.tool("get_submission", object{"submission_id": s.ID, "offset": offset})
		answers := got["custom_fields"].([]any)
		if offset > 0 && (len(answers) != 1 || got["description"] != nil) {
			t.Errorf("at %d: %v", offset, got)
		}
		return answers[0].(object)["value"]
	})
	if text != strings.TrimSpace(long) || calls < 3 {
		t.Errorf("%d calls read %q", calls, text)
	}
	text, calls = onward(func(offset int) any {
		return d.tool("get_speaker", object{"speaker_id": ada, "offset": offset})["about"]
	})
	if text != strings.TrimSpace(long) || calls < 3 {
		t.Errorf("%d calls read %q", calls, text)
	}
	for tool, arguments := range map[string]object{"get_submission": {"submission_id": s.ID, "offset": 500},
		"get_speaker": {"speaker_id": ada, "offset": 500}} {
		message, _ := d.refused(tool, arguments, 400)
		has(t, message, "must be less than 179")
	}
}
