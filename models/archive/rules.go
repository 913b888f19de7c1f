package archive

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/staff"
	"lectern/models/store"
)

// rule adapts a row of a table on import. It returns false for a row that does not come. It sees the archive's ids.
type rule func(*arriving, *store.Tx, *namedRow) (bool, error)

// rules are the rules of tables whose rows do not come unchanged.
var rules = map[string]rule{
	"users":            arriveUser,
	"files":            arriveFile,
	"contact_fields":   unlessHere("key"),
	"contacts":         arrivePerson,
	"contact_aliases":  arriveAlias,
	"contact_values":   unlessHere("contact_id"),
	"speaker_accounts": arriveAccount,
	"dismissed_pairs":  arrivePair,
	"sourcing_stages":  unlessHere("id"),
	"events":           arriveEvent,
	"event_roles":      never, // an archive gives no rights
	"event_looks":      arriveLook,
	"letters":          arriveLetter,
	"revisions":        arriveRevision,
	"activity":         arriveActivity,
}

func never(*arriving, *store.Tx, *namedRow) (bool, error) { return false, nil }

// unlessHere skips rows that belong to something the organization already has, which stays as it is.
func unlessHere(column string) rule {
	return func(in *arriving, _ *store.Tx, l *namedRow) (bool, error) { return !in.here[l.get(column)], nil }
}

// arriveUser makes a disabled account, for its name and its reviews, until an owner invites its address.
func arriveUser(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	if in.here[l.get("id")] {
		return false, nil
	}
	if _, err := store.CleanEmail(l.get("email")); err != nil {
		return false, refused("The archive has an account whose address is none: %q.", l.get("email"))
	}
	l.set("email_key", email(l))
	now := tx.Now.String()
	for _, c := range []struct {
		name  string
		value any
	}{
		{"organization_id", in.organization.ID}, {"role", string(staff.Viewer)}, {"everywhere", false}, {"password_hash", ""},
		{"disabled_at", now}, {"created_at", now}, {"updated_at", now},
	} {
		l.set(c.name, c.value)
	}
	in.done.Staff++
	return true, nil
}

// arriveFile stores a file whose bytes were brought, as other files are. A file without bytes gets only its row.
func arriveFile(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	f := *in.files[l.get("id")]
	if in.entries[filesFolder+f.ID] == nil {
		return true, nil
	}
	f.ID, f.UploadedBy = in.ids.in(f.ID), in.ids.in(f.UploadedBy)
	return false, models.KeepFile(tx, in.organization.ID, &f)
}

// arrivePerson replaces the file's key in the photo's address by its key here.
func arrivePerson(in *arriving, _ *store.Tx, l *namedRow) (bool, error) {
	if key := l.get("photo_key"); in.keys[key] != "" {
		l.set("photo_url", strings.ReplaceAll(l.get("photo_url"), key, in.keys[key]))
	}
	return !in.here[l.get("id")], nil
}

// arriveAlias skips an alias that somebody here has.
func arriveAlias(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	if in.here[l.get("contact_id")] {
		return false, nil
	}
	owners, err := models.IDsByEmail(tx.DB, in.organization.ID, []string{email(l)})
	return len(owners) == 0, err
}

// arrivePair dismisses a pair of people, unless it is dismissed here. The smaller id comes first, and may differ from
// there.
func arrivePair(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	a, b := l.get("first_id"), l.get("second_id")
	if !in.brought["contacts"][a] || !in.brought["contacts"][b] {
		return false, refused("The archive tells people apart whom it does not have.")
	}
	if in.ids.in(a) > in.ids.in(b) {
		a, b = b, a
	}
	l.set("first_id", a)
	l.set("second_id", b)
	var there int64
	err := tx.Table("dismissed_pairs").Where("first_id = ? AND second_id = ?", in.ids.in(a), in.ids.in(b)).Count(&there).Error
	return there == 0, err
}

// arriveAccount brings the speaker account of a new person, without a password. People who are here keep their own.
func arriveAccount(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	if l.set("password_hash", ""); in.here[l.get("contact_id")] {
		return false, nil
	}
	var there int64
	err := tx.Table("speaker_accounts").Where("organization_id = ? AND email_key = ? AND confirmed_at IS NOT NULL",
		in.organization.ID, email(l)).Count(&there).Error
	if err != nil || there > 0 {
		return false, err
	}
	opens, err := models.Opens(tx.DB, in.ids.in(l.get("contact_id")), email(l))
	if opens || err != nil || !l.isNull("confirmed_at") { // another person may have the address here
		return opens, err
	}
	owners, err := models.IDsByEmail(tx.DB, in.organization.ID, []string{email(l)})
	return len(owners) == 0, err // like somebody who has not proven it yet
}

// arriveEvent sets the name and slug that the event gets here.
func arriveEvent(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	n, err := in.as.event(tx.DB, l)
	if err != nil {
		return false, err
	}
	l.set("name", n.Name)
	l.set("slug", n.Slug)
	return true, nil
}

// event returns the event of a row with its name and slug here. It answers Invalid if it cannot exist, for the field
// slug if that is taken.
func (as Arrival) event(db *gorm.DB, l *namedRow) (models.NewEvent, error) {
	n := models.NewEvent{Name: l.get("name"), Slug: l.get("slug"), Timezone: l.get("timezone")}
	if !l.isNull("starts_on") {
		n.StartsOn = new(l.get("starts_on"))
	}
	if !l.isNull("ends_on") {
		n.EndsOn = new(l.get("ends_on"))
	}
	n.Name, n.Slug = cmp.Or(as.Name, n.Name), cmp.Or(as.Slug, n.Slug)
	if err := n.Clean(); err != nil {
		return n, err
	}
	return n, store.Unless(db.Model(&models.Event{}).Where("slug = ?", n.Slug),
		store.Invalidf("slug", "%q is taken by another event; give another one", n.Slug))
}

// arriveLook derives the colours again, because they are written to style sheets.
func arriveLook(_ *arriving, _ *store.Tx, l *namedRow) (bool, error) {
	colours, err := json.Marshal(look.Derive(l.get("brand"), l.get("paper")))
	l.set("colours", string(colours))
	return true, err
}

// arriveLetter holds letters that were on their way, because the Lectern that they come from sends them too. Those that
// were being sent become unknown.
func arriveLetter(_ *arriving, _ *store.Tx, l *namedRow) (bool, error) {
	switch models.LetterState(l.get("state")) {
	case models.LetterQueued:
		l.set("due_at", nil)
	case models.LetterSending:
		l.set("state", string(models.LetterUnknown))
		l.set("claimed_until", nil)
	}
	return true, nil
}

// arriveRevision brings a revision of a profile, unless another one of the person waits here, as each person has one.
func arriveRevision(in *arriving, tx *store.Tx, l *namedRow) (bool, error) {
	if l.isNull("contact_id") {
		return true, nil
	}
	var there int64
	err := tx.Table("revisions").Where("contact_id = ?", in.ids.in(l.get("contact_id"))).Count(&there).Error
	return there == 0, err
}

// harmless sanitises what people could not have written, because it is shown to others as it is.
func (t *table) harmless(l *namedRow) error {
	for _, name := range t.html {
		if l.isNull(name) {
			continue
		}
		clean, err := store.CleanHTML(name, l.get(name), maxLine)
		if err != nil {
			return err
		}
		l.set(name, clean)
	}
	for _, name := range t.urls {
		if _, err := store.CleanURL(name, l.get(name), store.MaxURL); err != nil {
			return refused("%q of the archive has an address that is none: %q.", t.data(), l.get(name))
		}
	}
	for _, name := range t.colour {
		if colour := l.get(name); colour != "" && !look.IsColor(colour) {
			return refused("%q of the archive has a colour that is none: %q.", t.data(), colour)
		}
	}
	return nil
}

// arriveActivity refuses activity about sign-ins and rights, which belongs to one server.
func arriveActivity(_ *arriving, _ *store.Tx, l *namedRow) (bool, error) {
	if slices.Contains(ofTheServer, l.get("subject")) ||
		l.isNull("event_id") && !slices.Contains(ofPeopleElsewhere, l.get("subject")) {
		return false, refused("The archive has a line of the log of a server, which no archive has.")
	}
	l.set("address", "")
	return true, nil
}
