package frab

import (
	"bytes"
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// countEvents returns how many events a file has.
func countEvents(file []byte) (n int) {
	for d := xml.NewDecoder(bytes.NewReader(file)); ; {
		token, err := d.Token()
		if err != nil {
			return n
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "event" {
			n++
		}
	}
}

func FuzzParse(f *testing.F) {
	excerpt, err := os.ReadFile("testdata/schedule.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(excerpt)
	for _, seed := range []string{
		``,
		`<schedule/>`,
		`<?xml version="1.0" encoding="latin1"?><schedule/>`,
		`<schedule xmlns="urn:x"><day date="2025-03-30"><room><event guid="g"><start>02:30</start><duration>1</duration><title>&#x10FFFF;</title></event></room></day></schedule>`,
		`<schedule><day><room name="&lt;"><event id="1"><date>9999-12-31T23:59:59-12:00</date><duration>999:59</duration><title>t</title></event></room></day></schedule>`,
		`<schedule><day date="2026-06-12"><event id="1"><start>9:00</start><duration>1</duration><room>A</room><title>t<event/></title><x><event id="2"/></x></event></day><event/></schedule>`,
		`<!DOCTYPE s [<!ENTITY a "b">]><schedule>&a;</schedule>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := Parse(bytes.NewReader(file), time.UTC)
		if err != nil {
			if s != nil || err.Error() == "" {
				t.Fatalf("%v beside the error %q", s, err)
			}
			return
		}
		if n := countEvents(file); len(s.Events)+len(s.Skipped) != n {
			t.Fatalf("%d used and %d skipped of %d", len(s.Events), len(s.Skipped), n)
		}
		keys := map[string]bool{}
		for _, e := range s.Events {
			switch {
			case e.Key == "" || keys[e.Key]:
				t.Fatalf("key %q is empty or not unique", e.Key)
			case e.Title == "" || strings.ContainsAny(e.Title, "\x00\n") || !utf8.ValidString(e.Title):
				t.Fatalf("title %q", e.Title)
			case e.Start.Location() != time.UTC || e.End.Before(e.Start):
				t.Fatalf("from %v to %v", e.Start, e.End)
			case e.Room != "" && !slices.Contains(names(s.Rooms), e.Room):
				t.Fatalf("room %q is not listed", e.Room)
			case e.Track != "" && !slices.ContainsFunc(s.Tracks, func(t Track) bool { return t.Name == e.Track }):
				t.Fatalf("track %q is not listed", e.Track)
			}
			for _, p := range e.Persons {
				if p.Name == "" {
					t.Fatalf("a person without a name: %v", p)
				}
			}
			keys[e.Key] = true
		}
	})
}
