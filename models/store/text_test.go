package store_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestTimestampsAreReadAsRFC3339AndWrittenInOneForm(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026-11-21T09:30:00Z":                "2026-11-21T09:30:00.000Z",
		"2026-11-21T09:30:00.1Z":              "2026-11-21T09:30:00.100Z",
		"2026-11-21T09:30:00.123999999Z":      "2026-11-21T09:30:00.123Z",
		"2026-11-21T09:30:00+14:00":           "2026-11-20T19:30:00.000Z",
		"2026-11-21T23:30:00-01:30":           "2026-11-22T01:00:00.000Z",
		"2026-11-21T09:30:00-00:00":           "2026-11-21T09:30:00.000Z",
		"2024-02-29T00:00:00Z":                "2024-02-29T00:00:00.000Z",
		"0001-01-01T00:00:00Z":                "0001-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999Z":            "9999-12-31T23:59:59.999Z",
		"":                                    "",
		"now":                                 "",
		"2026-11-21":                          "",
		"2026-11-21T09:30:00":                 "",
		"2026-11-21 09:30:00Z":                "",
		"2026-11-21T9:30:00Z":                 "",
		"2026-11-21T09:30:00,5Z":              "",
		"2026-11-21T09:30:00+24:00":           "",
		"2026-11-21T24:00:00Z":                "",
		"2026-11-21T09:30:60Z":                "",
		"2026-02-29T00:00:00Z":                "",
		"2026-13-01T00:00:00Z":                "",
		"0000-12-31T23:59:59Z":                "",
		"0001-01-01T00:00:00+00:01":           "",
		"9999-12-31T23:59:59.999-00:01":       "",
		"10000-01-01T00:00:00Z":               "",
		" 2026-11-21T09:30:00Z":               "",
		"2026-11-21T09:30:00Z\x00":            "",
		"2026-11-21T09:30:00Z[Europe/Berlin]": "",
	} {
		got, err := store.ParseTime(in)
		if (err != nil) != (want == "") || (err == nil && got.String() != want) {
			t.Errorf("%q is read as %s, %v; want %q", in, got, err, want)
		}
	}
}

func TestATimeSurvivesJSONAndTheDatabase(t *testing.T) {
	t.Parallel()
	at := store.At(time.Date(2026, 11, 21, 9, 30, 0, 123_999_999, time.FixedZone("", -7200)))
	b, _ := json.Marshal(at)
	modelstest.Want(t, "written as", string(b), `"2026-11-21T11:30:00.123Z"`)
	var back store.Time
	if err := json.Unmarshal(b, &back); err != nil || !back.Equal(at.Time) {
		t.Errorf("read as %v, %v", back, err)
	}
	stored, _ := at.Value()
	for _, v := range []any{stored, []byte(stored.(string)), at.Time.In(time.FixedZone("", 3600))} {
		var back store.Time
		if err := back.Scan(v); err != nil || back != at {
			t.Errorf("%v is scanned as %v, %v", v, back, err)
		}
	}
	for _, bad := range []string{`3`, `""`, `"now"`, `{}`, `true`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is read as %v", bad, back)
		}
	}
	if err := new(store.Time).Scan(3); err == nil {
		t.Error("a number is scanned as a time")
	}
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"2026-11-21T09:30:00Z", "2026-11-21T09:30:00.123+02:00", "0001-01-01T00:00:00-23:59",
		"9999-12-31T23:59:59.9999Z", "2026-11-21T9:30:00,5Z", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := store.ParseTime(s)
		if err != nil {
			return
		}
		form := at.String()
		again, err := store.ParseTime(form)
		if err != nil || again != at || len(form) != len("2006-01-02T15:04:05.000Z") || !strings.HasSuffix(form, "Z") {
			t.Errorf("%q is read as %s, which is read as %v, %v", s, form, again, err)
		}
		if later := at.Following(at); !later.After(at.Time) {
			t.Errorf("nothing comes after %s", form)
		}
	})
}

func TestPlainTextIsWhatAPersonReads(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		"plain  text":                   "plain  text",
		"<p>one</p><p>two</p>":          "one two",
		"one<br>two":                    "one two",
		"<b>bo</b>ld":                   "bo ld",
		"a &amp; b &lt;c&gt; &#34;d":    `a & b <c> "d`,
		"<a href='https://x'>link</a>!": "link !",
		"<script>alert(1)</script>x":    "x",
		" <i> \n x </i> ":               "x",
		"1 < 2":                         "1 < 2",
	} {
		modelstest.Want(t, in+" reads", store.PlainText(in), want)
	}
}

func TestLinesOfTextBecomeParagraphs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                   "",
		" \n ":                               " \n ",
		"One rule":                           "<p>One rule</p>",
		"One\nrule\n\n \n4 < 5 &amp; more\n": "<p>One<br>\nrule</p>\n<p>4 < 5 &amp; more</p>",
		"<p>One</p>\n\nrule":                 "<p>One</p>\n\nrule",
		"One <b>rule</b>\n\nfor all":         "One <b>rule</b>\n\nfor all",
		"<script>alert(1)</script>\n\nagain": "<script>alert(1)</script>\n\nagain",
	} {
		modelstest.Want(t, in+" becomes", store.Paragraphs(in), want)
	}
}

func TestTextIsTrimmedCountedInCharactersAndRefusedWithNUL(t *testing.T) {
	t.Parallel()
	if s, err := store.CleanText("f", " \u00a0äöü\t\n", 3); s != "äöü" || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	for _, bad := range []string{"äöüß", "\x00", "a\x00b", "\xff"} {
		if s, err := store.CleanText("f", bad, 3); store.KindOf(err) != store.Invalid {
			t.Errorf("%q is taken as %q", bad, s)
		}
	}
	for _, blank := range []string{"", " ", "\u2003", "\u200b", "\u200d\ufe0f", "\u2060 \u00ad", "\u3164", "\u2800",
		"\u034f", "\u202e"} {
		modelstest.Answers(store.CleanName("f", blank, 3))(t, blank+" is taken for a name", store.Invalid)
	}
	for _, name := range []string{"!", "\u200bx", "👩\u200d🚀", "क्ष", "\u202eאב"} {
		if got, err := store.CleanName("f", name, 5); got != name || err != nil {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
}

func TestWebAddressesAreHTTPWithoutCredentials(t *testing.T) {
	t.Parallel()
	for in, good := range map[string]bool{
		"": true, "https://example.org/a?b": true, " http://example.org ": true, "javascript:alert(1)": false,
		"ftp://x": false, "//x": false,
		"https://": false, "https://user:pass@example.org": false, "example.org": false, "http://a\x00": false,
		"data:text/html,x": false,
	} {
		if _, err := store.CleanURL("f", in, store.MaxURL); (err == nil) != good {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestTextIsFoldedWhateverItsCase(t *testing.T) {
	for _, same := range [][]string{
		{"Queue", "QUEUE", "queue"}, {"ΟΔΟΣ", "οδος", "οδοσ"}, {"ſchloß", "SCHLOß", "schloß"},
		{"ÅNGSTRÖM", "ångström", "Ångström"},
		{"\u212Aelvin", "kelvin"}, {"東京", "東京"}, {"ПРИВЕТ", "привет"},
	} {
		for _, other := range same[1:] {
			if store.Fold(same[0]) != store.Fold(other) {
				t.Errorf("%q and %q are not one: %q, %q", same[0], other, store.Fold(same[0]), store.Fold(other))
			}
		}
	}
}
