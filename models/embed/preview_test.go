package embed_test

import (
	"testing"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
)

func TestAPreviewIsWhatWouldBeMadeWithoutWhatBreaksARule(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, embeds := t.Context(), embed.Of(f.Programme())
		row := func(p *models.Programme, name string) string {
			return modelstest.Must(p.CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: name}))(t).ID
		}
		ours, theirs := row(f.Programme(), "Web"), row(f.Elsewhere(), "Web")
		c := embed.Change{Kind: new(embed.Gallery), Language: new("de"), Accent: new("0a6"), Ground: new(embed.Dark),
			Filters: embed.Filters{"track": {ours}}, ShowsPhotos: new(true)}
		fine := modelstest.Must(embeds.Preview(ctx, c))(t)
		if fine.Kind != embed.Gallery || fine.Language != "de" || fine.Accent != "#00AA66" || fine.Ground != embed.Dark ||
			len(fine.Filters["track"]) != 1 || !fine.ShowsPhotos {
			t.Errorf("%+v", fine)
		}
		odd := modelstest.Must(embeds.Preview(ctx, embed.Change{Kind: new(embed.Kind("x")), Language: new("x;y"),
			Accent: new("#f"), Ground: new(embed.Ground("x")), Filters: embed.Filters{"track": {theirs}, "x": {ours}}}))(t)
		if odd.Kind != embed.Agenda || odd.Language != "" || odd.Accent != "" || odd.Ground != embed.Auto ||
			len(odd.Filters) != 0 {
			t.Errorf("%+v", odd)
		}
		modelstest.Want(t, "a preview is kept", len(modelstest.Must(embeds.All(ctx))(t)), 0)
	})
}
