package settings

import (
	"net/url"
	"slices"

	"lectern/models/embed"
	"lectern/models/look"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
)

// embedShown are the fields that an embed may show, with the kinds whose pages have room for them. Its data feeds have
// all that are ticked.
var embedShown = []struct {
	name, label string
	on          []embed.Kind
}{
	{"companies", "Job titles and companies",
		[]embed.Kind{embed.Sessions, embed.Itinerary, embed.Speakers, embed.Gallery}},
	{"descriptions", "Descriptions and biographies", []embed.Kind{embed.Sessions}},
	{"photos", "Photos of speakers", []embed.Kind{embed.Gallery}},
}

// embedFields returns the fields as the form's checkboxes, each with the kinds that cannot show it.
func embedFields(values pages.EmbedValues) (fields []pages.EmbedField) {
	ticked := map[string]bool{"companies": values.Companies, "descriptions": values.Descriptions, "photos": values.Photos}
	for _, f := range embedShown {
		field := pages.EmbedField{Value: f.name, Label: f.label, Ticked: ticked[f.name]}
		for _, kind := range embed.Kinds {
			if !slices.Contains(f.on, kind) {
				field.Not = append(field.Not, "without-"+string(kind))
			}
		}
		fields = append(fields, field)
	}
	return fields
}

// embedPreviewAt returns the address of the preview of a form's values, without its theme.
func embedPreviewAt(base string, values pages.EmbedValues) string {
	q := url.Values{"kind": {values.Kind}, "language": {values.Language}, "accent": {values.Accent},
		"ground": {values.Ground}}
	for _, n := range embed.Narrowing {
		q[n.Name] = values.Filters[n.Name]
	}
	for _, f := range embedFields(values) {
		if f.Ticked {
			q.Add("shows", f.Value)
		}
	}
	return base + "/preview?" + q.Encode()
}

// embedAsked reads the values in the query of a preview.
func embedAsked(v *visit.Visit) pages.EmbedValues { return embedSent(v.Queries) }

// previewEmbed shows what an embed with the values of the query would show, in the query's theme.
func previewEmbed(v *visit.Visit) error {
	shown, err := embeds(v).Preview(v.UserContext(), embedChange(embedAsked(v)))
	if err != nil {
		return err
	}
	if theme := embed.Ground(v.Query("theme")); shown.Ground == embed.Auto && slices.Contains(embed.Grounds, theme) {
		shown.Ground = theme
	}
	styles := ""
	if shown.Accent != "" {
		l, err := looks(v).Look(v.UserContext())
		if err != nil {
			return err
		}
		q := url.Values{"brand": {shown.Accent}, "paper": {l.Paper}, "heading": {string(l.Heading)}}
		styles = v.At("/look/preview.css?" + q.Encode())
	}
	return v.Options.PreviewEmbed(v.Ctx, v.Event, shown, styles)
}

// embedMeasures returns the contrasts of an embed's own colour, on the event's paper.
func embedMeasures(l *look.Look, accent string) []pages.LookMeasure {
	if colour, is := look.Colour(accent); is && colour != "" {
		return lookMeasures(colour, l.Paper)
	}
	return nil
}

// measureEmbed answers a script with the contrasts of the colour in its query.
func measureEmbed(v *visit.Visit) error {
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	return v.Show(pages.LookMeasured(embedMeasures(l, embedAsked(v).Accent)))
}
