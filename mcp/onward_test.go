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
		s := d.session(models.NewSession{Title: "Tides", IsAbstract: true,
			SessionInput: models.SessionInput{Description: &text}})
		read, arguments, calls := "", object{"submission_id": s.FriendlyID}, 0
		for more := true; more; calls++ {
			got := d.tool("get_submission", arguments)
			part := got["description"].(string)
			if got["friendly_id"] != s.FriendlyID || (got["title"] == nil) != (calls > 0) {
				t.Errorf("call %d tells %v", calls, got)
			}
			read += goesOn.ReplaceAllString(part, "")
			found := goesOn.FindStringSubmatch(part)
			if more = found != nil; more {
				arguments["offset"], _ = strconv.Atoi(found[1])
			}
		}
		want := strings.TrimSpace(text)
		if length := len([]rune(want)); read != want || calls != (length+29)/30 {
			t.Errorf("%d calls for %d characters read %q, want %q", calls, length, read, want)
		}
		message, _ := d.refused(withKey(d.key), "get_submission",
			object{"submission_id": s.ID, "offset": len([]rune(want))}, "ValidationError", 400)
		if !strings.Contains(message, fmt.Sprint("less than ", len([]rune(want)))) {
			t.Error(message)
		}
	}
}
