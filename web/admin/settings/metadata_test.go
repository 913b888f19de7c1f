package settings_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestASecondRowOfANameIsTakenWithAWord(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	location, _ := b.On(d.At("/metadata/rooms")).Post(d.At("/metadata/rooms"), url.Values{"name": {"Great hall"}}, 303)
	admintest.Lacks(t, b.Follow(location, ""), "of that name")
	location, _ = b.Post(d.At("/metadata/rooms"), url.Values{"name": {"great HALL"}}, 303)
	admintest.Wants(t, b.Follow(location, ""), "“great HALL” is added. There is another room of that name.")
}

func TestRowsAreAddedEditedMovedAndDeleted(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	base := "/admin/events/" + d.Event.ID + "/metadata/"
	admintest.Wants(t, b.Get(base+"rooms", 200), "No rooms yet", "Add room", `aria-current="page"`)
	location, _ := b.Post(base+"rooms", url.Values{"name": {" Great hall "}, "capacity": {"300"}}, 303)
	admintest.Wants(t, b.Follow(location, ""), "“Great hall” is added.", ">300<", "autofocus")
	b.Post(base+"rooms", url.Values{"name": {"Small hall"}}, 303)
	b.On(base+"rooms").Post(base+"rooms", url.Values{"name": {"Cellar"}, "capacity": {"0"}}, 303)
	rows, _, _ := d.Programme().ListMetadata(t.Context(), models.Rooms, "", store.Page{})
	great, small, cellar := rows[0], rows[1], rows[2]
	// A row is edited in its place, and its other columns stay.
	admintest.Wants(t, b.Get(base+"rooms?edit="+small.ID, 200), `value="Small hall"`, `form="edit"`)
	form := admintest.Fill(b.Hidden("updated_at", "was_name", "was_capacity"), "name", "Little hall", "capacity", "80")
	location, _ = b.Post(base+"rooms/"+small.ID, form, 303)
	admintest.Wants(t, b.Get(strings.Split(location, "#")[0], 200), "“Little hall” is saved.", ">80<")
	for _, move := range []struct{ id, to, want string }{
		{cellar.ID, "1", "Cellar,Great hall,Little hall"},
		{great.ID, "3", "Cellar,Little hall,Great hall"},
		{great.ID, "99", "Cellar,Little hall,Great hall"},
		{great.ID, "-4", "Great hall,Cellar,Little hall"},
	} {
		b.Post(base+"rooms/"+move.id+"/move", url.Values{"position": {move.to}}, 303)
		modelstest.Want(t, "to "+move.to, admintest.Names(d, models.Rooms), move.want)
	}
	// What used it gets another, or none.
	s := d.Session(models.NewSession{Title: "Talk", SessionInput: models.SessionInput{RoomID: store.Some(cellar.ID)}})
	admintest.Wants(t, b.Get(base+"rooms", 200), "1 session", "/sessions?room="+cellar.ID)
	admintest.Wants(t, b.Get(base+"rooms/"+cellar.ID+"/delete", 200), "1 session", "Great hall",
		"Nothing: leave it without a room")
	at := store.At(time.Date(2027, 5, 20, 12, 0, 0, 0, time.UTC))
	lunch := models.NewBreak{Kind: models.Pause, Title: "Lunch", StartsAt: at, EndsAt: store.At(at.Add(time.Hour)),
		RoomID: &cellar.ID}
	modelstest.Must(agenda.Of(d.Programme()).AddBreak(t.Context(), lunch))(t)
	admintest.Wants(t, b.Get(base+"rooms/"+cellar.ID+"/delete", 200), "1 session", "1 break",
		"Nothing: leave sessions without a room, and delete its 1 break")
	location, _ = b.Post(base+"rooms/"+cellar.ID+"/delete", url.Values{"reassign": {great.ID}}, 303)
	admintest.Wants(t, b.Follow(location, ""), "“Cellar” is deleted; “Great hall” stands in its place.")
	if s = d.Read(s.ID); s.Room == nil || s.Room.Name != "Great hall" {
		t.Errorf("%+v", s.Room)
	}
	b.Post(base+"rooms/"+great.ID+"/delete", nil, 303)
	modelstest.Want(t, "the names", admintest.Names(d, models.Rooms), "Little hall")
}

func TestAMoveCanBeUndone(t *testing.T) {
	d := admintest.Open(t)
	var last string
	for _, name := range []string{"First", "Second", "Third"} {
		last = modelstest.RowOf(t, d.Programme(), models.Rooms, name).ID
	}
	order := func() (names string) {
		rows := modelstest.First(d.Programme().ListMetadata(t.Context(), models.Rooms, "", store.Page{}))(t)
		for _, row := range rows {
			names += row.Name + " "
		}
		return names
	}
	b := d.As(staff.Organizer)
	b.Get(d.At("/metadata/rooms"), 200)
	location, _ := b.Post(d.At("/metadata/rooms/"+last+"/move"), url.Values{"position": {"1"}}, 303)
	page := b.Follow(location, "")
	if order() != "Third First Second " {
		t.Fatal(order())
	}
	if page = b.Undo(page); order() != "First Second Third " {
		t.Error(order())
	}
	admintest.Lacks(t, page, "> Undo")
}

func TestAnEditThatCameLateLosesNothing(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	track := d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: "Web", Color: new("#2E8599")})
	path := "/admin/events/" + d.Event.ID + "/metadata/tracks"
	b.Get(path+"?edit="+track.ID, 200)
	form := b.Hidden("updated_at", "was_name", "was_color")
	form.Set("name", "Mine <b>")
	form.Set("color", "#2E8599") // untouched
	d.Clock.Move(1e9)
	modelstest.Must(metadata.Of(d.Programme()).Update(t.Context(), models.Tracks, track.ID,
		metadata.Change{Name: new("Theirs"), Color: new("#c0562a")}))(t)
	d.Clock.Move(120e9)
	admintest.Wants(t, b.Answer(path+"/"+track.ID, form, 409), "Test key changed Name and Colour 2 minutes ago",
		`value="Mine &lt;b&gt;" checked`, `value="Theirs"`, `value="#c0562a" checked`, "you did not change it")
	admintest.Lacks(t, b.Text, "<b>")
	modelstest.Want(t, "it was saved all the same", admintest.Names(d, models.Tracks), "Theirs")
	// Chosen field by field, it is saved.
	again := admintest.Fill(b.Hidden("updated_at"), "name", "Mine <b>", "color", "#c0562a")
	b.Post(path+"/"+track.ID, again, 303)
	if row := modelstest.Must(metadata.Of(d.Programme()).Update(t.Context(), models.Tracks, track.ID,
		metadata.Change{}))(t); row.Name != "Mine <b>" || *row.Color != "#c0562a" {
		t.Errorf("%+v", row)
	}
	// A form without a token is never the newest.
	_, page := b.Post(path+"/"+track.ID, url.Values{"name": {"No token"}, "color": {"#c0562a"}}, 409)
	admintest.Wants(t, page, "No token")
}

func TestBadRowsAreShownAgainAsTyped(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	base := "/admin/events/" + d.Event.ID + "/metadata/"
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		family string
		form   url.Values
		parts  []string
	}{
		{"tracks", url.Values{"name": {"  "}, "color": {"#2e8599"}},
			[]string{"Name must not be empty.", `href="#name"`, "<title>Error: "}},
		{"tracks", url.Values{"name": {long}, "color": {"#2e8599"}}, []string{long, "is 10000 characters long"}},
		{"tracks", url.Values{"name": {"Web"}, "color": {"red"}},
			[]string{"must be a hex colour", `value="Web"`, `value="red"`}},
		{"tracks", url.Values{"name": {"a\x00b"}}, []string{"contains a NUL character"}},
		{"tracks", url.Values{"name": {"a\xff"}}, []string{"is not valid UTF-8"}},
		{"rooms", url.Values{"name": {"Hall"}, "capacity": {"many"}},
			[]string{"Capacity must be a whole number.", `value="many"`, `value="Hall"`}},
		{"rooms", url.Values{"name": {"Hall"}, "capacity": {"-1"}}, []string{"must be between 0 and"}},
		{"rooms", url.Values{"name": {"Hall"}, "capacity": {"99999999999999999999"}}, []string{"must be between 0 and"}},
		{"formats", url.Values{"name": {"Talk"}, "default_minutes": {"0"}}, []string{"must be between 1 and"}},
	} {
		admintest.Wants(t, b.On(base+c.family).Answer(base+c.family, c.form, 422), c.parts...)
		row := d.Add(d.Programme(), models.Family(c.family), models.NewMetadata{Name: "kept"})
		c.form.Set("updated_at", row.UpdatedAt.String())
		c.form.Del("_token")
		admintest.Wants(t, b.Answer(base+c.family+"/"+row.ID, c.form, 422), c.parts...)
		_, page := b.Post(base+c.family+"/"+row.ID+"/move", url.Values{"position": {"up"}}, 422)
		admintest.Wants(t, page, "must be a whole number")
	}
	for _, family := range []models.Family{models.Tracks, models.Rooms, models.Formats} {
		modelstest.Want(t, fmt.Sprint(family), strings.Trim(strings.ReplaceAll(admintest.Names(d, family), "kept", ""), ","),
			"")
	}
	// What is no fault is text, also where it looks like a page.
	b.Post(base+"tags", url.Values{"name": {`<script>alert(1)</script>"'`}}, 303)
	admintest.Wants(t, b.Get(base+"tags", 200), "&lt;script&gt;alert(1)")
	admintest.Lacks(t, b.Text, "<script>alert")
}

func TestATracksColorIsJudgedForEachPage(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := "/admin/events/" + d.Event.ID + "/metadata/tracks"
	b.Get(path, 200)
	for color, want := range map[string]string{"#FFFF00": "hard to see on the light page",
		"#1F4E5F": "hard to see on the dark page"} {
		location, _ := b.Post(path, url.Values{"name": {"T"}, "color": {color}}, 303)
		admintest.Wants(t, b.Follow(location, ""), want, `class="notice warn"`)
	}
	admintest.Lacks(t, d.As(staff.Viewer).Get(path, 200), `name="name"`, "data-sortable", "/delete", "/move")
}

func TestRowsOfOthersAreNotThere(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	theirs := modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "Theirs")
	mine := modelstest.RowOf(t, d.Programme(), models.Tracks, "Mine")
	room := modelstest.RowOf(t, d.Programme(), models.Rooms, "Hall")
	base := "/admin/events/" + d.Event.ID + "/metadata/"
	b.Get(base+"tracks", 200)
	for _, path := range []string{base + "people", base + "tracks/" + theirs.ID, base + "tracks/" + room.ID, base +
		"tracks/" + theirs.ID + "/delete", base + "tracks/x/delete"} {
		b.Get(path, 404)
	}
	b.Get(base+"tracks", 200)
	token := b.Hidden("_token")
	for _, path := range []string{"people", "tracks/" + theirs.ID, "tracks/" + theirs.ID + "/move", "tracks/" + theirs.ID +
		"/delete", "tracks/" + room.ID + "/delete", "people/" + mine.ID} {
		b.Post(base+path, url.Values{"_token": token["_token"], "name": {"Stolen"}, "position": {"1"},
			"updated_at": {theirs.UpdatedAt.String()}}, 404)
	}
	admintest.Wants(t, b.Answer(base+"tracks/"+mine.ID+"/delete", url.Values{"_token": token["_token"],
		"reassign": {theirs.ID}}, 422), "is not a track of this event")
	admintest.Lacks(t, b.Get(base+"tracks?edit="+theirs.ID, 200), "Theirs")
	v := d.As(staff.Viewer)
	v.Get(base+"tracks", 200)
	v.Get(base+"tracks/"+mine.ID+"/delete", 403)
	v.On("/admin/account").Post(base+"tracks", url.Values{"name": {"No"}}, 403)
	modelstest.Want(t, "the names", admintest.Names(d, models.Tracks), "Mine")
}

func TestLongFamiliesHavePages(t *testing.T) {
	d := admintest.Open(t)
	p := d.Programme()
	for i := range 101 {
		d.Add(p, models.Tags, models.NewMetadata{Name: "tag " + strconv.Itoa(i+1)})
	}
	b := d.As(staff.Organizer)
	path := "/admin/events/" + d.Event.ID + "/metadata/tags"
	admintest.Wants(t, b.Get(path, 200), "1 to 100 of 101 tags", `rel="next"`)
	admintest.Lacks(t, b.Text, "tag 101<")
	admintest.Wants(t, b.Get(path+"?page=2", 200), "tag 101<", `data-first="100"`, `value="101"`)
	rows, _, _ := d.Programme().ListMetadata(t.Context(), models.Tags, "tag 101", store.Page{})
	modelstest.Want(t, "it leads to", b.Leads(path+"/"+rows[0].ID), path+"?page=2#row-"+rows[0].ID)
	if at, _ := b.Post(path+"/"+rows[0].ID+"/move", url.Values{"position": {"2"}}, 303); at != path+"#row-"+rows[0].ID {
		t.Error(at)
	}
}
