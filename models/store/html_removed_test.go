package store_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatIsRemovedOnSaveIsTold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                  "",
		"4 < 5 and <3":                      "",
		"<p>Fine <a href='https://x'>x</a>": "",
		"<p>One</p><script>x()</script><p>Two</p><SCRIPT src='//x'></SCRIPT>": "script:2",
		`<p onclick="a()">a</p><p onclick="b()">b</p><p>c</p>`:                `p onclick=a():2`,
		`<p style="color:red">x</p>`:                                          `p style=color:red:1`,
		`<a href="javascript:x()">x</a><a href="https://x">y</a>`:             "a=javascript:x():1",
		`<iframe src="https://video"></iframe><font color="red">x</font>`:     "iframe=https://video:1 font:1",
		`<!-- said by nobody --><p>x</p>`:                                     ":1",
		`<img src="https://x/y.png" onerror="x()">`:                           "img onerror=x():1",
		`<img src="data:image/png;base64,AA">`:                                "img=data:image/png;base64,AA:1",
	} {
		var got []string
		for _, r := range store.RemovedHTML(in) {
			text := strings.TrimSpace(r.Element + " " + r.Attribute)
			if r.Value != "" {
				text += "=" + r.Value
			}
			got = append(got, fmt.Sprint(text, ":", r.Count))
		}
		modelstest.Want(t, in+" loses", strings.Join(got, " "), want)
	}
}

// FuzzRemovedHTML: what was cleaned once loses nothing any more.
func FuzzRemovedHTML(f *testing.F) {
	f.Add(`<p onclick="x">a<script>b</script><a href="javascript:x">c</a>`)
	f.Fuzz(func(t *testing.T, s string) {
		clean, err := store.CleanHTML("f", s, 1_000_000)
		if err != nil {
			t.Skip()
		}
		modelstest.Want(t, s+", cleaned to "+clean+", loses", len(store.RemovedHTML(clean)), 0)
	})
}
