package look

import (
	"context"
	"fmt"
	"strings"

	"lectern/models"
)

// StyleSheet is the look of the event as CSS: variables on :root, which take the place of those in
// static/src/tokens.css, and for each track a class that gives --t its colour as a line. It changes with
// models.AgendaState alone.
func (l *Looks) StyleSheet(ctx context.Context) (string, error) {
	look, err := l.Look(ctx)
	if err != nil {
		return "", err
	}
	tracks, err := l.p.Family(ctx, models.Tracks)
	if err != nil {
		return "", err
	}
	return look.StyleSheet(tracks), nil
}

// StyleSheet is the look as CSS, with the event's tracks.
func (l *Look) StyleSheet(tracks []*models.Metadata) string {
	var out strings.Builder
	out.WriteString(":root{")
	for _, v := range variables {
		fmt.Fprintf(&out, "--%s:light-dark(%s,%s);", v.name, v.of(&l.Colours.Light), v.of(&l.Colours.Dark))
	}
	if l.Heading == Sans {
		out.WriteString("--heading:var(--sans);")
	}
	out.WriteString("}\n")
	for _, track := range tracks {
		light, dark := l.Colours.Line(*track.Color)
		fmt.Fprintf(&out, ".%s{--t:light-dark(%s,%s)}\n", TrackClass(track.ID), light, dark)
	}
	return out.String()
}

// variables are those of the style sheet. Accent and its text are what components are drawn with that every page has.
var variables = []struct {
	name string
	of   func(*Scheme) string
}{
	{"bg", func(s *Scheme) string { return s.Paper }},
	{"panel", func(s *Scheme) string { return s.Panel }},
	{"sunk", func(s *Scheme) string { return s.Sunk }},
	{"muted", func(s *Scheme) string { return s.Muted }},
	{"hairline", func(s *Scheme) string { return s.Hairline }},
	{"edge", func(s *Scheme) string { return s.Edge }},
	{"field", func(s *Scheme) string { return s.Field }},
	{"brand", func(s *Scheme) string { return s.Brand }},
	{"onbrand", func(s *Scheme) string { return s.OnBrand }},
	{"brandline", func(s *Scheme) string { return s.BrandLine }},
	{"brandtext", func(s *Scheme) string { return s.BrandText }},
	{"link", func(s *Scheme) string { return s.BrandText }},
	{"accent", func(s *Scheme) string { return s.Brand }},
	{"on-accent", func(s *Scheme) string { return s.OnBrand }},
}

// TrackClass is the class of a track in the style sheet, by its id: the end of one is random.
func TrackClass(id string) string { return "t-" + id[max(0, len(id)-8):] }
