package upkeep

import (
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
)

// keptRule is a rule that SQL can check: wrong returns a sentence for each row of a table that breaks it.
type keptRule struct{ name, holds, table, wrong string }

var keptRules = []keptRule{
	{"numbers", "an event's last numbers reach those of its sessions", "events", `
		SELECT e.slug || ' goes on after ' || CASE WHEN x.is_abstract THEN 'A-' || c.last_abstract ELSE 'S-' || c.last_session END
			|| ' although there is ' || x.last
		FROM events e JOIN event_counters c ON c.event_id = e.id
			JOIN (SELECT event_id, is_abstract, max(number) AS last FROM sessions GROUP BY event_id, is_abstract) x ON x.event_id = e.id
		WHERE x.last > CASE WHEN x.is_abstract THEN c.last_abstract ELSE c.last_session END ORDER BY 1`},
	{"labels", "a session's label is its kind and number", "sessions", `
		SELECT id || ' is called ' || friendly_id FROM sessions
		WHERE friendly_id <> CASE WHEN is_abstract THEN 'A-' ELSE 'S-' END || number ORDER BY id`},
	{"scores", "sessions keep the mean and the number of their reviews", "sessions", `
		SELECT s.id || ' keeps ' || s.reviews || ' reviews of ' || coalesce(s.score, 0) ||
			', its reviews are ' || coalesce(r.n, 0) || ' with a sum of ' || coalesce(r.total, 0)
		FROM sessions s LEFT JOIN (SELECT session_id, count(*) AS n, sum(points) AS total FROM reviews
			WHERE points IS NOT NULL AND NOT EXISTS (SELECT 1 FROM participants p JOIN contacts c ON c.id = p.contact_id
				JOIN users u ON u.email_key = c.email_key WHERE p.session_id = reviews.session_id AND u.id = reviews.user_id)
			GROUP BY session_id) r ON r.session_id = s.id
		WHERE s.reviews <> coalesce(r.n, 0) OR (s.score IS NULL) <> (r.n IS NULL) OR abs(s.score * r.n - r.total) * 2 > r.n ORDER BY s.id`},
	{"results", "what reviews come to in a round is kept with it", "review_results", `
		SELECT x.session_id || ' keeps ' || x.answered || ' reviews and ' || x.assigned || ' assignments of a round with ' ||
			coalesce(r.n, 0) || ' and ' || (SELECT count(*) FROM review_assignments a WHERE a.round_id = x.round_id AND a.session_id = x.session_id)
		FROM review_results x LEFT JOIN (SELECT round_id, session_id, count(*) AS n, count(points) AS scored, sum(points) AS total FROM reviews
			WHERE NOT EXISTS (SELECT 1 FROM participants p JOIN contacts c ON c.id = p.contact_id
				JOIN users u ON u.email_key = c.email_key WHERE p.session_id = reviews.session_id AND u.id = reviews.user_id)
			GROUP BY round_id, session_id) r ON r.session_id = x.session_id AND r.round_id = x.round_id
		WHERE x.answered <> coalesce(r.n, 0) OR x.scored <> coalesce(r.scored, 0) OR abs(x.mean * r.scored - r.total) * 2 > r.scored
			OR x.assigned <> (SELECT count(*) FROM review_assignments a WHERE a.round_id = x.round_id AND a.session_id = x.session_id)
		ORDER BY x.session_id, x.round_id`},
	{"alone", "sessions that nobody is on say so", "sessions", `
		SELECT id || CASE WHEN is_alone THEN ' says that nobody is on it' ELSE ' says that somebody is on it' END FROM sessions
		WHERE is_alone = EXISTS (SELECT 1 FROM participants p WHERE p.session_id = sessions.id) ORDER BY id`},
	{"compositions", "abstracts are composed into programme sessions", "sessions", `
		SELECT a.id || ' is composed into the abstract ' || t.id
		FROM sessions a JOIN sessions t ON t.id = a.composed_into WHERE t.is_abstract ORDER BY a.id`},
	{"links", "a linked abstract is its session's only one and has the same text", "sessions", `
		SELECT a.id || CASE WHEN a.title <> t.title OR a.description <> t.description
			THEN ' has another text than ' ELSE ' is not the only source of ' END || t.id
		FROM sessions a JOIN sessions t ON t.id = a.composed_into
		WHERE a.is_linked AND (a.title <> t.title OR a.description <> t.description
			OR EXISTS (SELECT 1 FROM sessions b WHERE b.composed_into = t.id AND b.id <> a.id)) ORDER BY a.id`},
	{"lines", "a delivery in line is of an emission put there, and has not begun", "deliveries_due", `
		SELECT 'emission ' || e.id || CASE WHEN e.fanned_at IS NULL THEN ' would be put in line again'
			WHEN e.organization_id <> d.organization_id OR e.resource_id <> d.resource_id THEN ' is in line as one of another organization or resource'
			ELSE ' is in line although its round has begun' END
		FROM deliveries_due d JOIN emissions e ON e.seq = d.emission_seq
		WHERE e.fanned_at IS NULL OR e.organization_id <> d.organization_id OR e.resource_id <> d.resource_id
			OR EXISTS (SELECT 1 FROM webhook_deliveries w WHERE w.emission_id = e.id AND coalesce(w.webhook_id, '') = coalesce(d.webhook_id, ''))
		ORDER BY d.seq`},
	{"photos", "a photo's address leads to a photo that is kept", "contacts", `
		SELECT id || ' has a photo that is not kept' FROM contacts
		WHERE photo_key <> '' AND NOT EXISTS (SELECT 1 FROM files f WHERE f.key = contacts.photo_key
			AND f.organization_id = contacts.organization_id AND f.purpose = 'photo') ORDER BY id`},
	{"own files", "the value of a field of files is a file that is kept for it, and no other value is one", "contact_values", `
		SELECT v.field_key || ' of ' || v.contact_id || CASE WHEN v.file_id IS NULL THEN ' is no file'
			ELSE ' is a file of something else' END
		FROM contact_values v JOIN contact_fields d ON d.key = v.field_key
			LEFT JOIN files f ON f.id = v.file_id AND f.organization_id = v.organization_id AND f.purpose = 'own_field'
		WHERE (d.type = 'file') <> (f.id IS NOT NULL) ORDER BY 1`},
	{"answers", "a file that answers a question of a call is kept for that, by the organization of the event", "proposal_files", `
		SELECT 'the file of ' || x.key || ' of ' || x.session_id || ' is one of something else'
		FROM proposal_files x JOIN events e ON e.id = x.event_id JOIN files f ON f.id = x.file_id
		WHERE f.purpose <> 'answer' OR f.organization_id <> e.organization_id ORDER BY 1`},
	{"looks", "the logo and the picture of an event are kept for that, by its organization", "event_looks", `
		SELECT l.event_id || ' shows a file of something else' FROM event_looks l JOIN events e ON e.id = l.event_id
			LEFT JOIN files a ON a.id = l.logo_id LEFT JOIN files b ON b.id = l.picture_id
		WHERE a.purpose <> 'logo' OR a.organization_id <> e.organization_id OR b.purpose <> 'picture'
			OR b.organization_id <> e.organization_id ORDER BY 1`},
	{"speaker answers", "an answer of a speaker is to a question of each speaker, and a file is kept for it", "speaker_answers", `
		SELECT x.question_id || ' of ' || x.contact_id || CASE WHEN q.asked_of <> 'speaker' THEN ' answers what is asked of the proposal'
			WHEN x.file_id IS NULL THEN ' is no file' ELSE ' is a file of something else' END
		FROM speaker_answers x JOIN call_questions q ON q.id = x.question_id JOIN events e ON e.id = x.event_id
			LEFT JOIN files f ON f.id = x.file_id AND f.organization_id = e.organization_id AND f.purpose = 'answer'
		WHERE q.asked_of <> 'speaker' OR (q.type = 'file') <> (f.id IS NOT NULL) ORDER BY 1`},
	{"aliases", "an alias is nobody's own address", "contact_aliases", `
		SELECT a.email_key || ' is an alias of ' || a.contact_id || ' and the address of ' || c.id
		FROM contact_aliases a JOIN contacts c ON c.organization_id = a.organization_id AND c.email_key = a.email_key ORDER BY 1`},
	{"erased", "of who was erased nothing is kept but where they were", "contacts", `
		SELECT id || ' was erased and still has something' FROM contacts c WHERE erased_at IS NOT NULL AND (email <> ''
			OR phone <> '' OR about <> '' OR photo_url IS NOT NULL
			OR EXISTS (SELECT 1 FROM contact_aliases x WHERE x.contact_id = c.id)
			OR EXISTS (SELECT 1 FROM contact_notes x WHERE x.contact_id = c.id)
			OR EXISTS (SELECT 1 FROM contact_values x WHERE x.contact_id = c.id)
			OR EXISTS (SELECT 1 FROM speaker_answers x WHERE x.contact_id = c.id)) ORDER BY id`},
	{"calendars", "public calendars say of each session that is shown what it is, and of no other", "calendar_entries", `
		SELECT coalesce(c.session_id, s.id) || CASE WHEN s.id IS NULL THEN ' is in calendars and not shown'
			WHEN c.session_id IS NULL OR c.is_cancelled THEN ' is shown and not in calendars' ELSE ' is in calendars as something else' END
		FROM calendar_entries c FULL JOIN (SELECT * FROM sessions WHERE is_public AND NOT is_abstract AND deleted_at IS NULL
			AND starts_at IS NOT NULL AND status NOT IN ('declined', 'withdrawn')) s ON s.id = c.session_id
		WHERE s.id IS NULL AND NOT c.is_cancelled OR s.id IS NOT NULL AND (c.session_id IS NULL OR c.is_cancelled
			OR c.title <> s.title OR c.starts_at <> s.starts_at OR coalesce(c.ends_at, s.starts_at) <> coalesce(s.ends_at, s.starts_at)
			OR coalesce(c.room_id, '') <> coalesce(s.room_id, '') OR coalesce(c.track_id, '') <> coalesce(s.track_id, '')) ORDER BY 1`},
	{"letters", "a letter is of the decision that stands, or will not go out", "letters", `
		SELECT l.id || CASE WHEN l.is_current THEN ' is of a decision that does not stand any more' ELSE ' would go out although its decision does not stand' END
		FROM letters l JOIN sessions s ON s.id = l.session_id
			JOIN decisions d ON d.session_id = l.session_id AND d.number = l.number
		WHERE l.is_current AND (CASE d.decision WHEN 'undone' THEN s.status IN ('accepted', 'declined') ELSE s.status <> d.decision END
			OR EXISTS (SELECT 1 FROM decisions x WHERE x.session_id = s.id AND x.number > d.number))
			OR NOT l.is_current AND l.state IN ('draft', 'queued', 'failed') ORDER BY l.id`},
	{"proposals", "a proposal is of an abstract of its event, and of somebody who is there", "proposals", `
		SELECT p.session_id || CASE WHEN NOT s.is_abstract THEN ' is proposed and no abstract'
			WHEN p.contact_id <> '' AND c.id IS NULL THEN ' was begun by somebody who is not there'
			ELSE ' is withdrawn from a draft' END
		FROM proposals p JOIN sessions s ON s.id = p.session_id LEFT JOIN contacts c ON c.id = p.contact_id
		WHERE NOT s.is_abstract OR p.contact_id <> '' AND c.id IS NULL
			OR s.status = 'withdrawn' AND p.withdrawn_from = 'draft' ORDER BY 1`},
	{"call questions", "a question stands in a part of its event", "call_questions", `
		SELECT q.id || ' stands in a part of another event' FROM call_questions q JOIN call_parts t ON t.id = q.part_id
		WHERE t.event_id <> q.event_id ORDER BY q.id`},
	{"participations", "who says whether they come is there", "participations", `
		SELECT x.session_id || ' has an answer of somebody who is not there' FROM participations x
		LEFT JOIN contacts c ON c.id = x.contact_id WHERE c.id IS NULL ORDER BY 1`},
	{"co-speakers", "who joined is there", "co_speakers", `
		SELECT x.id || ' is of somebody who is not there' FROM co_speakers x LEFT JOIN contacts c ON c.id = x.contact_id
		WHERE x.contact_id <> '' AND c.id IS NULL ORDER BY x.id`},
	{"places", "an account is of somebody of its organization", "speaker_accounts", `
		SELECT a.id || ' is of somebody who is not there'
		FROM speaker_accounts a LEFT JOIN contacts c ON c.id = a.contact_id AND c.organization_id = a.organization_id
		WHERE c.id IS NULL ORDER BY a.id`},
	{"ways in", "the proven address of an account is one that opens the place of its contact", "speaker_accounts", `
		SELECT a.id || ' is of an address that is not its contact''s' FROM speaker_accounts a WHERE a.confirmed_at IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = a.contact_id AND c.email_key = a.email_key)
			AND NOT EXISTS (SELECT 1 FROM contact_aliases x WHERE x.contact_id = a.contact_id AND x.email_key = a.email_key
				AND x.opens) ORDER BY a.id`},
	{"place links", "a link leads to somebody of its organization", "speaker_links", `
		SELECT l.id || ' leads to somebody who is not there' FROM speaker_links l
		LEFT JOIN contacts c ON c.id = l.contact_id AND c.organization_id = l.organization_id
		WHERE l.contact_id <> '' AND c.id IS NULL ORDER BY l.id`},
	{"extensions", "who may write longer is there", "call_extensions", `
		SELECT x.event_id || ' lets somebody write longer who is not there' FROM call_extensions x
		LEFT JOIN contacts c ON c.id = x.contact_id WHERE c.id IS NULL ORDER BY 1`},
	{"leftovers", "no file is among those to be swept", "file_leftovers", `
		SELECT f.id || ' would be swept' FROM files f JOIN file_leftovers l ON l.key = f.key ORDER BY f.id`},
	{"batches", "a batch counts its items", "batches", `
		SELECT b.id || ' counts ' || b.succeeded || ' and ' || b.failed || ' of ' || b.total ||
			', its items are ' || coalesce(x.done, 0) || ' and ' || coalesce(x.failed, 0) || ' of ' || coalesce(x.n, 0)
		FROM batches b LEFT JOIN (SELECT batch_id, count(*) AS n, sum(CASE WHEN state = 'done' THEN 1 ELSE 0 END) AS done,
			sum(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS failed FROM batch_items GROUP BY batch_id) x ON x.batch_id = b.id
		WHERE b.succeeded <> coalesce(x.done, 0) OR b.failed <> coalesce(x.failed, 0) OR b.total <> coalesce(x.n, 0)
			OR (b.state = 'finished' AND b.succeeded + b.failed <> b.total) ORDER BY b.id`},
	{"second factors", "who is asked for a second factor has one", "users", `
		SELECT id || ' is asked for a second factor without having one' FROM users WHERE totp_confirmed_at IS NOT NULL AND totp_secret = '' ORDER BY id`},
	{"identities", "a sign-in by a provider is of whom the provider means", "identities", `
		SELECT i.id || ' means another member than its sign-in is of' FROM identities i JOIN logins l ON l.identity_id = i.id
		WHERE l.user_id <> i.user_id ORDER BY i.id`},
	{"passkeys", "who is asked for a passkey has as many as are counted", "users", `
		SELECT u.id || ' has ' || count(k.id) || ' passkeys, and ' || u.passkeys || ' are counted'
		FROM users u LEFT JOIN passkeys k ON k.user_id = u.id GROUP BY u.id, u.passkeys HAVING count(k.id) <> u.passkeys ORDER BY u.id`},
}

func (r keptRule) run(_ *models.Store, db *gorm.DB, c *Check) error {
	if err := db.Table(r.table).Count(&c.Looked).Error; err != nil {
		return err
	}
	return eachName(db, r.wrong, func(finding string) error {
		c.find("%s", finding)
		return nil
	})
}

// checkSessions computes the stored search texts and keys of sessions again, as an update would, and compares them.
func checkSessions(s *models.Store, db *gorm.DB, c *Check) error {
	var events []*models.Event
	if err := db.Order("id").Find(&events).Error; err != nil {
		return err
	}
	for _, event := range events {
		search := &models.SessionSearch{Filter: models.SessionFilter{IncludeDeleted: true}, Sort: models.ByCreated}
		err := s.Programme(event, store.CommandLine).EachSessionIn(db, search, func(sessions []*models.Session) error {
			kept := map[string]*models.Session{}
			ids := store.Map(sessions, func(session *models.Session) string { return session.ID })
			var rows []*models.Session
			if err := db.Select("id, title_key, search").Where("id IN ?", ids).Find(&rows).Error; err != nil {
				return err
			}
			for _, row := range rows {
				kept[row.ID] = row
			}
			for _, session := range sessions {
				c.Looked++
				if session.Index(); session.TitleKey != kept[session.ID].TitleKey {
					c.find("%s is sorted by another title than its own", session.ID)
				} else if session.Search != kept[session.ID].Search {
					c.find("%s is found by another text than its own", session.ID)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkedAtOnce is how many contacts are read in one batch.
const checkedAtOnce = 500

// checkContacts computes the stored keys of contacts again and compares them.
func checkContacts(_ *models.Store, db *gorm.DB, c *Check) error {
	var batch []*models.Contact
	return db.Order("id").FindInBatches(&batch, checkedAtOnce, func(*gorm.DB, int) error {
		for _, kept := range batch {
			c.Looked++
			contact := new(*kept)
			if contact.Index(); contact.EmailKey != kept.EmailKey || contact.FullName != kept.FullName ||
				contact.NameKey != kept.NameKey || contact.Search != kept.Search || contact.CompanyKey != kept.CompanyKey ||
				contact.JobKey != kept.JobKey || contact.PhotoKey != kept.PhotoKey {
				c.find("%s is found by another name, address or photo than its own", kept.ID)
			}
		}
		return nil
	}).Error
}

// checkFolded folds names and addresses of other tables again and compares them.
func checkFolded(_ *models.Store, db *gorm.DB, c *Check) error {
	searchable := func(text string) string { return store.Searchable(strings.Split(text, "\n")...) }
	const values = `(SELECT v.field_key, v.contact_id, v.search, coalesce(f.name, v.value) AS value
		FROM contact_values v LEFT JOIN files f ON f.id = v.file_id) AS contact_values`
	const answered = `(SELECT v.question_id, v.contact_id, v.search, coalesce(f.name, v.value) AS value
		FROM speaker_answers v LEFT JOIN files f ON f.id = v.file_id) AS speaker_answers`
	for _, place := range []struct {
		table, id, column, key string
		fold                   func(string) string
	}{
		{"metadata", "id", "name", "name_key", searchable},
		{"users", "id", "email", "email_key", store.Fold}, {"staff_links", "id", "email", "email_key", store.Fold},
		{values, "field_key || ' of ' || contact_id", "value", "search", searchable},
		{answered, "question_id || ' of ' || contact_id", "value", "search", searchable},
		{"contact_aliases", "contact_id", "email", "email_key", store.Fold},
	} {
		var rows []struct{ ID, Plain, Folded string }
		if err := db.Table(place.table).Select(place.id + " AS id, " + place.column + " AS plain, " + place.key + " AS folded").
			Order("1").Scan(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			if c.Looked++; place.fold(row.Plain) != row.Folded {
				table := place.table[strings.LastIndex(place.table, " ")+1:]
				c.find("%s of %s %s is not that of its %s", place.key, table, row.ID, place.column)
			}
		}
	}
	return nil
}

// checkRounds compares the result kept on each first attempt with that of the last one.
func checkRounds(_ *models.Store, db *gorm.DB, c *Check) error {
	rows, err := db.Raw(`SELECT f.id, f.round_result, f.driver, coalesce(z.outcome, f.outcome), coalesce(z.error_class, f.error_class),
			CASE WHEN z.id IS NULL THEN f.response_status ELSE z.response_status END
		FROM webhook_deliveries f LEFT JOIN webhook_deliveries z
			ON z.emission_id = f.emission_id AND coalesce(z.webhook_id, '') = coalesce(f.webhook_id, '') AND z.attempt = 2
		WHERE f.attempt = 1 ORDER BY f.id`).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var first, last outbox.Delivery
		if err := rows.Scan(&first.ID, &first.RoundResult, &last.Driver, &last.Outcome, &last.ErrorClass,
			&last.ResponseStatus); err != nil {
			return err
		}
		if c.Looked++; last.Result() != first.RoundResult {
			c.find("the round of %s is kept as %s and was %s", first.ID, first.RoundResult, last.Result())
		}
	}
	return rows.Err()
}
