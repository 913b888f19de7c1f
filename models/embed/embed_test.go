package embed_test

import (
	"reflect"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAnEmbedIsOfItsEventAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, here, there := t.Context(), embed.Of(f.Programme()), embed.Of(f.Elsewhere())
		track := modelstest.RowOf(t, f.Programme(), models.Tracks, "Web").ID
		theirs := modelstest.RowOf(t, f.Elsewhere(), models.Tracks, "Web").ID
		modelstest.Emitted(t, f)
		e := modelstest.Must(here.Create(ctx, embed.Change{Name: new(" On our \n site "), Kind: new(embed.Agenda),
			Filters: embed.Filters{"track": {track, track}, "forged": {"x"}}, ShowsPhotos: new(true)}))(t)
		if len(e.ID) < 20 || store.IsID(e.ID) || !e.IsOn || e.Name != "On our site" || !e.ShowsPhotos || e.ShowsCompanies ||
			len(e.Filters) != 1 || len(e.Filters["track"]) != 1 {
			t.Errorf("%+v", e)
		}
		modelstest.Must(there.Create(ctx, embed.Change{Name: new("Theirs"), Kind: new(embed.Sessions)}))(t)
		if all := modelstest.Must(here.All(ctx))(t); len(all) != 1 || all[0].ID != e.ID || all[0].Filters["track"][0] != track {
			t.Errorf("%+v", all)
		}
		modelstest.Answers(there.Embed(ctx, e.ID))(t, "read by another event", store.NotFound)
		modelstest.WantKind(t, "saved by another", there.Save(ctx, e.ID, embed.Change{IsOn: new(false)}), store.NotFound)
		found, event, err := embed.Find(ctx, f.Store, e.ID)
		if err != nil || event.ID != f.Event.ID || !found.IsOn {
			t.Errorf("%+v %v", found, err)
		}

		for what, c := range map[string]embed.Change{
			"no name": {Name: new(" ")}, "a long name": {Name: new(strings.Repeat("x", 5000))},
			"a kind":     {Kind: new(embed.Kind("forged"))},
			"a language": {Language: new("de;x")}, "a track of another event": {Filters: embed.Filters{"track": {theirs}}},
			"a track as a room": {Filters: embed.Filters{"room": {track}}}, "a colour": {Accent: new("red")},
			"a colour with more": {Accent: new("#12345;")}, "a background": {Ground: new(embed.Ground("forged"))},
		} {
			modelstest.WantKind(t, what, here.Save(ctx, e.ID, c), store.Invalid)
			if c.Name == nil {
				c.Name = new("Fine")
			}
			if c.Kind == nil {
				c.Kind = new(embed.Agenda)
			}
			modelstest.Answers(here.Create(ctx, c))(t, what+" when it is made", store.Invalid)
		}
		modelstest.Fine(t, here.Save(ctx, e.ID, embed.Change{IsOn: new(false), UpdatedAt: &e.UpdatedAt}))
		modelstest.WantKind(t, "an old token", here.Save(ctx, e.ID, embed.Change{IsOn: new(true),
			UpdatedAt: &e.UpdatedAt}), store.Stale)
		now := modelstest.Must(here.Embed(ctx, e.ID))(t)
		if now.IsOn || now.Name != e.Name || len(now.Filters) != 1 || !now.UpdatedAt.After(e.UpdatedAt.Time) {
			t.Errorf("%+v", now)
		}
		lines := modelstest.Must(f.Programme().Activity(ctx, f.Event.ID))(t)
		if len(lines) != 2 || lines[0].Subject != "embed" || strings.Contains(lines[0].After+lines[1].After, e.ID) {
			t.Errorf("%+v", lines)
		}
		modelstest.Fine(t, here.Save(ctx, e.ID, embed.Change{Accent: new("f40"), Ground: new(embed.Dark)}))
		now = modelstest.Must(here.Embed(ctx, e.ID))(t)
		if now.Accent != "#FF4400" || now.Ground != embed.Dark || e.Ground != embed.Auto {
			t.Errorf("%+v", now)
		}
		modelstest.Fine(t, here.Save(ctx, e.ID, embed.Change{IsOn: new(false)}))
		if again := modelstest.Must(here.Embed(ctx, e.ID))(t); again.UpdatedAt != now.UpdatedAt || len(modelstest.Emitted(t, f)) != 0 {
			t.Error("a change that changes nothing was written, or embeds are told to receivers")
		}
	})
}

func TestAnEmbedIsFoundWithItsEventInOneStatement(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		made := modelstest.Must(embed.Of(f.Programme()).Create(ctx, embed.Change{Name: new("Here"), Kind: new(embed.Gallery),
			Language: new("de"), Accent: new("#884400"), Ground: new(embed.Light), ShowsPhotos: new(true)}))(t)
		statements := f.Statement.During(func() {
			found, event, err := embed.Find(ctx, f.Store, made.ID)
			if err != nil || !reflect.DeepEqual(found, made) || !reflect.DeepEqual(event, f.Programme().Event()) {
				t.Errorf("%+v is not %+v, or %+v: %v", found, made, event, err)
			}
		})
		if len(statements) != 2 { // Programme reads the event too
			t.Errorf("%d statements: %v", len(statements), statements)
		}
	})
}

func TestAnEmbedThatIsDeletedIsGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, here := t.Context(), embed.Of(f.Programme())
		e := modelstest.Must(here.Create(ctx, embed.Change{Name: new("Here"), Kind: new(embed.Agenda)}))(t)
		stays := modelstest.Must(here.Create(ctx, embed.Change{Name: new("Stays"), Kind: new(embed.Agenda)}))(t)
		modelstest.WantKind(t, "by another event", embed.Of(f.Elsewhere()).Delete(ctx, e.ID, nil), store.NotFound)
		modelstest.WantKind(t, "of odd bytes", here.Delete(ctx, "\xff", nil), store.NotFound)
		old := e.UpdatedAt
		modelstest.Fine(t, here.Save(ctx, e.ID, embed.Change{Name: new("Elsewhere")}))
		modelstest.WantKind(t, "with an old token", here.Delete(ctx, e.ID, &old), store.Stale)
		now := modelstest.Must(here.Embed(ctx, e.ID))(t)
		modelstest.Fine(t, here.Delete(ctx, e.ID, &now.UpdatedAt))
		modelstest.Answers(embed.Find(ctx, f.Store, e.ID))(t, "what is deleted", store.NotFound)
		modelstest.WantKind(t, "again", here.Delete(ctx, e.ID, nil), store.NotFound)
		if all := modelstest.Must(here.All(ctx))(t); len(all) != 1 || all[0].ID != stays.ID {
			t.Errorf("%+v are left", all)
		}
		lines := modelstest.Must(f.Programme().Activity(ctx, f.Event.ID))(t)
		if lines[0].Action != "deleted" || !strings.Contains(lines[0].Before, "Elsewhere") {
			t.Errorf("%+v", lines[0])
		}
	})
}

func TestAPreviewIsWhatWouldBeMadeWithoutWhatBreaksARule(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, embeds := t.Context(), embed.Of(f.Programme())
		row := func(p *models.Programme, name string) string {
			return modelstest.RowOf(t, p, models.Tracks, name).ID
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
