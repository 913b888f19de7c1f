package look

import (
	"context"
	"fmt"
	"strings"

	"lectern/models"
)

// StyleSheet returns the look of the event as CSS: variables on :root, which override those of static/src/tokens.css,
// and for each track a class that sets --t to its colour as a line. It depends only on models.AgendaState.
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

// StyleSheet returns the look as CSS, with the event's tracks.
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

// variables are the CSS variables of the style sheet. Components use the accent and its text on every page.
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

// TrackClass returns the CSS class of a track: the end of its id, which is random.
func TrackClass(id string) string { return "t-" + id[max(0, len(id)-8):] }
