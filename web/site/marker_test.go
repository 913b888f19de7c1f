package site_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/embed"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/words"
	"lectern/web/page"
)

// openColumns are the texts that everybody may read, by table and column, of which rows, and why. Any other text column
// of any table is private, those that a migration adds too: it is filled with a marker, which no page of everybody may
// show. So are the rows of these that the condition does not name.
var openColumns = func() map[string]string {
	const (
		session = "id IN ({shown}) OR composed_into IN ({shown}) AND status = 'accepted' AND NOT is_linked"
		person  = "id IN (SELECT contact_id FROM participants WHERE session_id IN ({shown}))"
		label   = "id IN (SELECT room_id FROM sessions WHERE id IN ({shown}) UNION SELECT track_id FROM sessions" +
			" WHERE id IN ({shown}) UNION SELECT format_id FROM sessions WHERE id IN ({shown}) UNION SELECT level_id FROM sessions" +
			" WHERE id IN ({shown}) UNION SELECT tag_id FROM session_tags WHERE session_id IN ({shown})" +
			" UNION SELECT room_id FROM agenda_breaks WHERE event_id = '{event}')"
		ofEvent  = "event_id = '{event}'"
		anyEvent = "1 = 1"
		released = "version_id IN (SELECT id FROM agenda_versions WHERE event_id = '{event}')"
		handedIn = "task_id IN (SELECT id FROM tasks WHERE is_public) AND EXISTS (SELECT 1 FROM deliverables d" +
			" WHERE d.task_id = deliverable_versions.task_id AND d.session_id = deliverable_versions.session_id AND d.state = 'approved')"
		seen = "purpose IN ('photo', 'logo', 'picture') OR id IN (SELECT file_id FROM deliverable_versions WHERE " + handedIn + ")"
	)
	open := map[string]string{}
	for _, x := range []struct{ where, columns string }{
		// Each event has a start page, which looks as its staff want.
		{anyEvent, "events.name events.slug events.timezone events.starts_on events.ends_on"},
		{anyEvent, "event_looks.venue event_looks.city event_looks.address event_looks.intro event_looks.picture_alt"},
		{anyEvent, "event_looks.menu event_looks.brand event_looks.paper event_looks.colours"},
		// The programme, with the parts of sessions that are composed, and what labels them.
		{session, "sessions.title sessions.description"},
		{label, "metadata.name metadata.color"},
		{ofEvent, "agenda_breaks.title"},
		// Calendars that have a session say what it was called last in public.
		{ofEvent, "calendar_entries.title"},
		// Who speaks stands there as they want to be known: with their job, page and photo.
		{person, "contacts.first_name contacts.last_name contacts.full_name contacts.sort_name contacts.about"},
		{person, "contacts.job_title contacts.company_name contacts.photo_url contacts.photo_key"},
		{person, "contacts.website_url contacts.linkedin_url"},
		// What a release says of itself, and what it changed.
		{ofEvent, "agenda_versions.name agenda_versions.note"},
		{released, "agenda_version_sessions.title agenda_version_sessions.room agenda_version_sessions.friendly_id"},
		// What speakers handed in, staff approved and show.
		{"is_public", "tasks.title"},
		{handedIn + " OR url = ''", "deliverable_versions.url"},
		// What an embed is narrowed by: ids; its language and its colours.
		{anyEvent, "embeds.filters embeds.language embeds.accent embeds.ground"},
		// Address, type and ETag of pictures.
		{seen, "files.key files.media_type files.sha256"},
	} {
		for name := range strings.FieldsSeq(x.columns) {
			open[name] = x.where
		}
	}
	return open
}()

// boundColumns take no text of people: what may stand in them the database says itself. A column that refuses the
// marker and is not here fails the test.
var boundColumns = func() map[string]bool {
	bound := map[string]bool{}
	for table, columns := range map[string]string{
		"activity": "door", "agenda_breaks": "kind", "batch_items": "outcome state", "batches": "state",
		"call_questions": "asked_of required seen_by standard type", "changes": "kind", "co_speakers": "role state",
		"contact_fields":  "type",
		"contact_imports": "policy sha256 state", "decisions": "decision", "deliverables": "state", "embeds": "kind", "emissions": "type",
		"event_contacts": "workflow_status", "event_looks": "heading", "event_roles": "role", "files": "purpose",
		"folding": "name", "imported": "kind", "letter_templates": "kind", "letters": "kind state", "metadata": "family",
		"archives": "state", "moves": "state stopped_in",
		"participants": "role", "participations": "answer", "review_criteria": "kind", "reviews": "state",
		"sessions": "content_state status", "sourcing_stages": "kind", "staff_links": "kind role",
		"stranger_mails": "caused_by", "tasks": "asked_of kind", "users": "role",
		"webhook_deliveries": "driver error_class outcome round_result",
	} {
		for column := range strings.FieldsSeq(columns) {
			bound[table+"."+column] = true
		}
	}
	return bound
}()

// rowName tells columns that name rows: an id tells nothing that its row does not.
var rowName = regexp.MustCompile(`(^|_)id$|^composed_into$`)

// timeName tells the columns of SQLite that hold a moment or a day, which has no type of its own for them.
var timeName = regexp.MustCompile(`(_at|_on|_until|_since|_from)$|^(since|until)$`)

// private is a database whose private texts are markers.
type private struct {
	t       *testing.T
	f       *modelstest.Fixture
	conn    *sql.Conn
	columns []string // that were marked: table.column
}

// textColumns returns the columns that hold text or JSON, by their tables.
func (p *private) textColumns() map[string][]string {
	query := `SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb', 'character varying')`
	if p.f.Dialect() == "sqlite" {
		query = `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
			AND m.name NOT LIKE 'sessions_search%' AND m.name NOT LIKE 'contacts_search%' AND m.name NOT LIKE 'sqlite_%'
			AND lower(c.type) IN ('text', 'json', 'jsonb')`
	}
	rows := modelstest.Must(p.conn.QueryContext(p.t.Context(), query))(p.t)
	defer rows.Close()
	all := map[string][]string{}
	for rows.Next() {
		var table, column string
		modelstest.Fine(p.t, rows.Scan(&table, &column))
		if rowName.MatchString(column) || p.f.Dialect() == "sqlite" && timeName.MatchString(column) {
			continue
		}
		all[table] = append(all[table], column)
	}
	return all
}

// mark puts a marker into each row of a column that is private.
func (p *private) mark(table, column string) {
	name := table + "." + column
	where := ""
	if open, isOpen := openColumns[name]; isOpen {
		where = " WHERE NOT (" + p.filled(open) + ")"
	}
	marker := fmt.Sprintf("'zqm%dr' || %s", len(p.columns), map[string]string{"sqlite": "rowid",
		"postgres": "translate(ctid::text, '(),', 'xxx')"}[p.f.Dialect()])
	p.columns = append(p.columns, name)
	var refused error
	for _, value := range []string{marker, `'"' || ` + marker + ` || '"'`, `CAST('"' || ` + marker + ` || '"' AS jsonb)`} {
		if _, refused = p.conn.ExecContext(p.t.Context(), "UPDATE "+table+" SET "+column+" = "+value+where); refused == nil {
			break
		}
	}
	if isBound := refused != nil; isBound != boundColumns[name] {
		p.t.Errorf("%s takes the marker: %t, and should: %t (%v)", name, !isBound, isBound, refused)
	}
}

func (p *private) filled(text string) string {
	const shown = "SELECT id FROM sessions WHERE event_id = '{event}' AND is_public AND status = 'accepted'" +
		" AND NOT is_abstract AND deleted_at IS NULL"
	return strings.ReplaceAll(strings.ReplaceAll(text, "{shown}", shown), "{event}", p.f.Event.ID)
}

// fill gives each table a row that has none, of the event and of what it shows: a note on who speaks, a review of a
// session, whatever a migration adds.
func (p *private) fill() {
	ctx, checks := p.t.Context(), map[string]string{}
	query := "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'"
	if p.f.Dialect() == "sqlite" {
		query = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
	}
	p.each(query, func(table, check string) { checks[table] += check })
	types := map[string]map[string]string{}
	query = `SELECT table_name || '.' || column_name, data_type || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END
		FROM information_schema.columns WHERE table_schema = 'public'`
	if p.f.Dialect() == "sqlite" {
		query = `SELECT m.name || '.' || c.name, lower(c.type) || CASE WHEN c."notnull" = 0 AND c.pk = 0 THEN ' null' ELSE '' END
			FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`
	}
	p.each(query, func(name, kind string) {
		table, column, _ := strings.Cut(name, ".")
		if types[table] == nil {
			types[table] = map[string]string{}
		}
		types[table][column] = kind
	})
	for table := range p.textColumns() {
		var there int
		modelstest.Fine(p.t, p.conn.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&there))
		if there > 0 {
			continue
		}
		columns := slices.Sorted(maps.Keys(types[table]))
		values := make([]string, len(columns))
		for i, column := range columns {
			values[i] = p.filled(p.sample(table, column, types[table][column], checks[table]))
		}
		if _, err := p.conn.ExecContext(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES ("+
			strings.Join(values, ", ")+")"); err != nil {
			p.t.Errorf("%s has no row: %v", table, err)
		}
	}
}

func (p *private) each(query string, do func(a, b string)) {
	rows := modelstest.Must(p.conn.QueryContext(p.t.Context(), query))(p.t)
	defer rows.Close()
	for rows.Next() {
		var a, b string
		modelstest.Fine(p.t, rows.Scan(&a, &b))
		do(a, b)
	}
}

// samples are values of columns that others of their rows must fit, as SQL.
var samples = map[string]string{
	"reviews.points": "300", "letters.organization_id": "NULL", "co_speakers.contact_id": "''",
	"speaker_links.contact_id": "''",
	"contact_imports.sha256":   "'" + strings.Repeat("0", 64) + "'", "review_criteria.high": "2",
	"users.everywhere": "true",
	"staff_links.role": "'viewer'", "call_questions.part_id": "'x'", "call_questions.required": "'yes'",
	"speaker_links.account_id":      "'x'",
	"webhook_deliveries.webhook_id": "'x'", "letters.kind": "'call'",
	"revisions.contact_id": "NULL", "letters.session_id": "NULL", "letters.number": "NULL", "letters.is_current": "false", "batches.change": "'{}'",
}

// sample returns a value of a column, as SQL.
func (p *private) sample(table, column, kind, check string) string {
	if value, known := samples[table+"."+column]; known {
		return value
	}
	kind, isNullable := strings.CutSuffix(kind, " null")
	isTime := strings.HasPrefix(kind, "timestamp") || p.f.Dialect() == "sqlite" && timeName.MatchString(column)
	const oneOf = `\b\)?\s*(?:=\s*(?:ANY\s*\(\(?ARRAY\[)?|IN\s*\(\s*)('[^']*')`
	allowed := regexp.MustCompile(`\b` + column + oneOf).FindStringSubmatch(check)
	isOurs := slices.Contains([]string{"event_id", "session_id", "contact_id", "organization_id"}, column)
	switch {
	case allowed != nil:
		return allowed[1]
	case isNullable && (isTime || rowName.MatchString(column) && !isOurs):
		return "NULL"
	case isTime:
		return "'2027-05-20T10:00:00.000Z'"
	case strings.HasPrefix(kind, "json"):
		return "'{}'"
	case kind == "boolean":
		return "false"
	case strings.Contains(kind, "int") || kind == "real":
		return "1"
	case kind == "blob" || kind == "bytea":
		return "''"
	case column == "event_id":
		return "'{event}'"
	case column == "organization_id":
		return "'" + p.f.Event.OrganizationID + "'"
	case column == "session_id":
		return "({shown} LIMIT 1)"
	case column == "contact_id":
		return "(SELECT contact_id FROM participants WHERE session_id IN ({shown}) LIMIT 1)"
	}
	return "'" + store.NewID() + "'"
}

var marked = regexp.MustCompile(`(?i)zqm(\d+)r`)

// found tells which private columns a text has.
func (p *private) found(text string) (leaks []string) {
	for _, found := range marked.FindAllStringSubmatch(text, -1) {
		var n int
		_, _ = fmt.Sscan(found[1], &n)
		leaks = append(leaks, p.columns[n])
	}
	slices.Sort(leaks)
	return slices.Compact(leaks)
}

// lived makes an event with all that its public pages can show, beside what they must not: sessions and people that are
// not public, and another event of the same organization. It returns the addresses of photos and pictures.
func lived(t *testing.T, f *modelstest.Fixture) (d *door, pictures []string) {
	t.Helper()
	ctx := t.Context()
	d, shown, _, room, track := published(t, f)
	p := f.Programme()
	for _, roomID := range []*string{nil, &room} {
		modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Coffee", StartsAt: at("08:00"),
			EndsAt: at("08:30"), RoomID: roomID}))(t)
	}
	modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "First", Note: "Here it is."}))(t)
	d.change(t, shown, models.SessionChange{SessionInput: models.SessionInput{StartsAt: store.Some(at("12:00")),
		EndsAt: store.Some(at("12:30"))}})
	d.change(t, d.talk(t, "New talk", models.SessionInput{TrackID: store.Some(track)}), public)
	modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "Second", Note: "Something moved."}))(t)
	var parts []string
	for _, title := range []string{"One half", "The other half"} {
		part := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true}))(t)
		modelstest.SetStatus(t, p, part.ID, models.Accepted)
		parts = append(parts, part.ID)
	}
	whole := modelstest.Must(p.Compose(ctx, parts, ""))(t)
	d.change(t, whole, models.SessionChange{Title: new("Composed"), IsPublic: new(true), PublishOverride: true})
	for _, who := range modelstest.Must(p.Session(ctx, shown.ID))(t).Participants {
		photo := modelstest.Must(p.Directory().SetPhoto(ctx, who.ContactID, face(t, color.White)))(t)
		pictures = append(pictures, photo.PhotoPath())
	}
	looks := look.Of(p)
	modelstest.Fine(t, looks.Save(ctx, look.Change{Venue: new("Harbour hall"), City: new("Lisbon"), Address: new("Rua 1"),
		Intro: new("<p>Welcome aboard</p>"), Brand: new("#884400"), PictureAlt: new("Ships"),
		Menu: look.Menu{look.Agenda: {Name: "Plan"}}}))
	for _, kind := range look.Kinds {
		modelstest.Fine(t, looks.SetPicture(ctx, kind, face(t, color.Black)))
		pictures = append(pictures, kind.Path(modelstest.Must(looks.Look(ctx))(t)))
	}
	handIn(t, f, shown)
	other := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere"}))(t)
	f.Speaker(t, f.Other, other.ID, models.NewContact{FirstName: "Else", LastName: "Where", Email: "else@example.org"})
	modelstest.Fine(t, look.Of(f.Elsewhere()).Save(ctx, look.Change{Venue: new("Elsewhere")}))
	return d, pictures
}

// handIn hands in, for a session, a file and a link that are shown, and others that are not approved or not public.
func handIn(t *testing.T, f *modelstest.Fixture, s *models.Session) {
	t.Helper()
	ctx, handle := t.Context(), tasks.Of(f.Programme())
	for i, public := range []bool{true, true, false} {
		for _, kind := range []tasks.Kind{tasks.File, tasks.Link} {
			of := modelstest.Must(handle.Create(ctx, tasks.Change{Title: new(fmt.Sprint("Task ", i)), Kind: &kind,
				AskedOf: new(tasks.OfSession), IsPublic: &public}))(t)
			if kind == tasks.Link {
				modelstest.Fine(t, handle.Link(ctx, of.ID, s.ID, "https://example.org/"))
			} else {
				modelstest.Fine(t, handle.Upload(ctx, of.ID, s.ID, models.Upload{Name: "a.pdf", Content: []byte("%PDF-")}))
			}
			modelstest.Fine(t, handle.Comment(ctx, of.ID, s.ID, "Thank you"))
			if i != 1 {
				modelstest.Fine(t, handle.Decide(ctx, of.ID, s.ID, tasks.Approve, "", nil))
			}
		}
	}
}

// surfaces returns the addresses of all public routes of the events, with every id that a parameter may have, in each
// language.
func surfaces(t *testing.T, p *private, d *door) (all []string) {
	t.Helper()
	ids := map[string][]string{":event": {d.Event.Slug, d.Other.Slug}, ":day": {"2027-05-20", "2027-05-21", "2027-05-22"}}
	p.each("SELECT id, number FROM sessions ORDER BY id", func(id, number string) {
		ids[":session"], ids[":id"] = append(ids[":session"], id, "s-"+number), append(ids[":id"], id)
	})
	p.each("SELECT id, name FROM metadata ORDER BY id", func(id, _ string) { ids[":id"] = append(ids[":id"], id) })
	p.each("SELECT id, url FROM deliverable_versions ORDER BY id", func(id, _ string) {
		ids[":file"] = append(ids[":file"], id, id+".pdf")
	})
	p.each("SELECT id, name FROM embeds ORDER BY id", func(id, _ string) { ids[":embed"] = append(ids[":embed"], id) })
	sitemap := regexp.MustCompile("<loc>" + base + "/events/[^/<]*/([a-z]*)/([^<]*)<")
	for _, found := range sitemap.FindAllStringSubmatch(d.get(t, d.home+"/sitemap.xml"), -1) {
		name := map[string]string{"sessions": ":session", "speakers": ":speaker"}[found[1]]
		if ids[name] = append(ids[name], found[2]); name == ":speaker" {
			ids[":id"] = append(ids[":id"], strings.Split(found[2], "-")[0])
		}
	}
	for _, route := range d.app.GetRoutes(true) {
		if route.Method != "GET" || strings.HasSuffix(route.Path, ":name") || strings.HasSuffix(route.Path, ":token") { // these have addresses that nobody guesses
			continue
		}
		addresses := []string{route.Path}
		for _, name := range route.Params {
			if len(ids[":"+name]) == 0 {
				t.Errorf("nobody says what %s of %s is", name, route.Path)
			}
			var filled []string
			for _, address := range addresses {
				for _, id := range ids[":"+name] {
					filled = append(filled, strings.Replace(address, ":"+name, id, 1))
				}
			}
			addresses = filled
		}
		all = append(all, addresses...)
	}
	home := d.home
	for _, query := range []string{"/speakers?view=photos", "/agenda?view=list", "/agenda?q=zqm",
		"/agenda?q=a&tz=Asia/Taipei", "/sessions?q=a&day=2027-05-20", "/itinerary?my=1,2,3,4,5,6,7,8,9",
		"/my?my=1,2,3,4,5,6,7,8,9,10,11,12", "/my.ics?my=1,2,3,4,5,6,7,8,9,10,11,12", "/print/2027-05-20?paper=a3"} {
		all = append(all, home+query)
	}
	for _, address := range slices.Clone(all) {
		for _, l := range words.All() {
			if l != words.English() {
				all = append(all, address+map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")]+"lang="+l.Tag)
			}
		}
	}
	return all
}

func TestNothingPrivateIsOnAnyPageOfEverybody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := &private{t: t, f: f, conn: modelstest.Must(f.SQL.Conn(t.Context()))(t)}
		defer p.conn.Close()
		if f.Dialect() == "postgres" { // what refers to another row is nobody's business here
			modelstest.Must(p.conn.ExecContext(t.Context(), "SET session_replication_role = replica"))(t)
			defer p.conn.Raw(func(any) error { return driver.ErrBadConn }) // nor a later test's
		}
		d, pictures := lived(t, f)
		for _, kind := range embed.Kinds {
			d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), ShowsDescriptions: new(true), ShowsCompanies: new(true),
				ShowsPhotos: new(true)})
		}
		ended := d.embeds(t, embed.Change{Name: new("Ended"), Kind: new(embed.Agenda)})
		modelstest.Fine(t, embed.Of(f.Programme()).Save(t.Context(), ended.ID, embed.Change{IsOn: new(false)}))
		modelstest.Must(embed.Of(f.Elsewhere()).Create(t.Context(), embed.Change{Name: new("Else"),
			Kind: new(embed.Agenda)}))(t)
		page.RegisterPictures(d.app, f.Store)
		drawn := map[string]string{}
		all := append(surfaces(t, p, d), pictures...)
		for _, address := range all {
			if strings.Contains(address, "picture.png") {
				_, drawn[address] = d.ask(t, address)
			}
		}
		p.fill()
		texts := p.textColumns()
		for _, table := range slices.Sorted(maps.Keys(texts)) {
			for _, column := range texts[table] {
				p.mark(table, column)
			}
		}
		p.renew()
		leaks, fine := map[string][]string{}, 0
		for _, address := range all {
			response, body := d.ask(t, address)
			if response.StatusCode == 200 {
				fine++
			} else if response.StatusCode >= 500 {
				t.Errorf("%s answers %d %s", address, response.StatusCode, body)
			}
			if was, isDrawn := drawn[address]; isDrawn && body != was {
				t.Errorf("%s is drawn otherwise", address)
			}
			for _, leak := range p.found(body + fmt.Sprint(response.Header)) {
				leaks[leak] = append(leaks[leak], address)
			}
		}
		for leak, addresses := range leaks {
			t.Errorf("%s is on %d pages, such as %s", leak, len(addresses), addresses[0])
		}
		if fine < 300 || len(p.columns) < 250 {
			t.Errorf("%d of %d pages answer, %d columns are marked", fine, len(all), len(p.columns))
		}
		// What is open is found where it is not marked alone.
		modelstest.Must(p.conn.ExecContext(t.Context(), p.filled("UPDATE sessions SET title = 'zqm0r1' WHERE id IN ({shown})")))(t)
		p.renew()
		if body := d.get(t, d.home+"/sessions"); len(p.found(body)) == 0 {
			t.Error("a marker on a page is not found")
		}
	})
}

// renew makes every cached page of the event stale.
func (p *private) renew() {
	modelstest.Must(p.conn.ExecContext(p.t.Context(), "UPDATE event_counters SET sessions_version = sessions_version + 1000, "+
		"metadata_version = metadata_version + 1000"))(p.t)
}
