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

// rule says how a row of a table comes in. It is false for one that does not. It sees the ids of the archive.
type rule func(*arriving, *store.Tx, *line) (bool, error)

// rules are those of tables whose rows come in otherwise than as they are.
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

func never(*arriving, *store.Tx, *line) (bool, error) { return false, nil }

// unlessHere leaves out what is of something that the organization has already: what is here stays as it is.
func unlessHere(column string) rule {
	return func(in *arriving, _ *store.Tx, l *line) (bool, error) { return !in.here[l.get(column)], nil }
}

// arriveUser makes an account that nobody can use, for its name and its reviews, until an owner invites its address.
func arriveUser(in *arriving, tx *store.Tx, l *line) (bool, error) {
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

// arriveFile keeps a file whose bytes were brought, as all are kept. Of one that had none there is the row alone.
func arriveFile(in *arriving, tx *store.Tx, l *line) (bool, error) {
	f := *in.files[l.get("id")]
	if in.entries[filesFolder+f.ID] == nil {
		return true, nil
	}
	f.ID, f.UploadedBy = in.ids.in(f.ID), in.ids.in(f.UploadedBy)
	return false, models.KeepFile(tx, in.organization.ID, &f)
}

// arrivePerson has the address of a photo name the key that its file has here.
func arrivePerson(in *arriving, _ *store.Tx, l *line) (bool, error) {
	if key := l.get("photo_key"); in.keys[key] != "" {
		l.set("photo_url", strings.ReplaceAll(l.get("photo_url"), key, in.keys[key]))
	}
	return !in.here[l.get("id")], nil
}

// arriveAlias leaves a further address out that somebody here has.
func arriveAlias(in *arriving, tx *store.Tx, l *line) (bool, error) {
	if in.here[l.get("contact_id")] {
		return false, nil
	}
	owners, err := models.IDsByEmail(tx.DB, in.organization.ID, []string{email(l)})
	return len(owners) == 0, err
}

// arrivePair tells two people apart, unless they are here. The smaller id comes first, whatever it was there.
func arrivePair(in *arriving, tx *store.Tx, l *line) (bool, error) {
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

// arriveAccount brings the way of somebody new to their place, without a password. Whoever is here has their own.
func arriveAccount(in *arriving, tx *store.Tx, l *line) (bool, error) {
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
	return len(owners) == 0, err // as somebody who has not proven it yet
}

// arriveEvent gives the event the name and slug that it is to have here.
func arriveEvent(in *arriving, tx *store.Tx, l *line) (bool, error) {
	n, err := in.as.event(tx.DB, l)
	if err != nil {
		return false, err
	}
	l.set("name", n.Name)
	l.set("slug", n.Slug)
	return true, nil
}

// event is the event of a row, as it is to be here. It answers Invalid for one that cannot be, by the field slug where
// that is taken.
func (as Arrival) event(db *gorm.DB, l *line) (models.NewEvent, error) {
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

// arriveLook derives the colours anew, which stand in style sheets.
func arriveLook(_ *arriving, _ *store.Tx, l *line) (bool, error) {
	colours, err := json.Marshal(look.Derive(l.get("brand"), l.get("paper")))
	l.set("colours", string(colours))
	return true, err
}

// arriveLetter holds letters back that were on their way: the Lectern that they come from sends them too. What became
// of one that was being sent nobody knows.
func arriveLetter(_ *arriving, _ *store.Tx, l *line) (bool, error) {
	switch models.LetterState(l.get("state")) {
	case models.LetterQueued:
		l.set("due_at", nil)
	case models.LetterSending:
		l.set("state", string(models.LetterUnknown))
		l.set("claimed_until", nil)
	}
	return true, nil
}

// arriveRevision brings what somebody changed of their profile, unless another change of it waits here: each has one.
func arriveRevision(in *arriving, tx *store.Tx, l *line) (bool, error) {
	if l.isNull("contact_id") {
		return true, nil
	}
	var there int64
	err := tx.Table("revisions").Where("contact_id = ?", in.ids.in(l.get("contact_id"))).Count(&there).Error
	return there == 0, err
}

// harmless makes sure that a row has no more than people may write: it is shown to others as it is.
func (t *table) harmless(l *line) error {
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

// arriveActivity takes what happened to the event alone: the log of sign-ins and rights is that of each server.
func arriveActivity(_ *arriving, _ *store.Tx, l *line) (bool, error) {
	if slices.Contains(ofTheServer, l.get("subject")) ||
		l.isNull("event_id") && !slices.Contains(ofPeopleElsewhere, l.get("subject")) {
		return false, refused("The archive has a line of the log of a server, which no archive has.")
	}
	l.set("address", "")
	return true, nil
}
