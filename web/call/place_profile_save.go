package call

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"lectern/models/call"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// typed reads the form; "away" holds the parts of days that were not ticked, and other absences that stay.
func (v *visit) typed() map[string]string {
	values := map[string]string{}
	for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields) {
		values[name] = strings.TrimSpace(strings.ReplaceAll(v.FormValue(name), "\r\n", "\n"))
	}
	can, away := v.Values("can"), v.Values("also")
	for _, part := range v.Values("part") {
		if !slices.Contains(can, part) {
			away = append(away, part)
		}
	}
	slices.Sort(away)
	values["away"] = strings.Join(slices.Compact(away), "\n")
	return values
}

// refuse is Refuse, and also accepts that too much was sent within an hour.
func (v *visit) refuse(err error) error {
	if store.KindOf(err) != store.TooMany {
		return v.KeepFaults(err)
	}
	v.Faults = page.FaultsOf(err)
	return nil
}

// saveProfile saves what was changed since the form was opened.
func saveProfile(v *visit) error {
	typed := v.typed()
	if v.Value("do") == "take-back" {
		return v.takeBack(typed)
	}
	_, err := v.place.SaveProfile(v.ctx(), v.event, v.profileChange(typed))
	if store.KindOf(err) == store.Stale {
		return v.settleProfile(typed)
	}
	var faults components.Faults
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		faults = v.Faults
	} else {
		typed = nil
	}
	changed, err := v.keepPhoto()
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		faults = append(faults, v.Faults...)
	}
	if v.Faults = faults; len(faults) > 0 {
		for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields, []string{"photo"}) {
			v.Faults.Call(name, v.labelled(name))
		}
		return v.profilePage(http.StatusUnprocessableEntity, typed)
	}
	return v.See(v.path("place/profile"), cmp.Or(changed, v.T("write.issaved")))
}

// takeBack takes back the waiting revision of the profile, and saves whatever else was typed.
func (v *visit) takeBack(typed map[string]string) error {
	if err := v.place.TakeBack(v.ctx()); err != nil {
		return err
	}
	c := v.profileChange(typed)
	delete(c.Values, "about")
	_, err := v.place.SaveProfile(v.ctx(), v.event, c)
	if store.KindOf(err) == store.Stale {
		return v.settleProfile(typed)
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.profilePage(http.StatusUnprocessableEntity, typed)
	}
	return v.See(v.path("place/profile"), v.T("revision.istakenback"))
}

// photoKept says what became of a photo; of one that waits, the page says more.
func (v *visit) photoKept(waits bool, done string) string {
	if waits {
		return v.T("write.issaved")
	}
	return v.T(done)
}

// profileChange returns what differs from the form as it was opened.
func (v *visit) profileChange(typed map[string]string) people.Change {
	c := people.Change{Values: map[string]string{}}
	if v.Value("settled") != "" { // the choice between two edits sends away as one text
		typed["away"] = strings.ReplaceAll(v.FormValue("away"), "\r\n", "\n")
	}
	for name, value := range typed {
		was := strings.ReplaceAll(v.FormValue(components.FirstPrefix+name), "\r\n", "\n")
		if name == "about" && value != was {
			value = call.AsHTML(value)
		}
		if value != was {
			c.Values[name] = value
		}
	}
	if at, err := store.ParseTime(v.Value("updated_at")); err == nil {
		c.UpdatedAt = &at
	}
	if at, err := store.ParseTime(v.Value("here")); err == nil {
		c.HereUpdatedAt = &at
	}
	return c
}

// settleProfile has the speaker choose where somebody else, such as staff, changed the same fields meanwhile.
func (v *visit) settleProfile(typed map[string]string) error {
	person, err := v.place.Profile(v.ctx(), v.event)
	if err != nil {
		return err
	}
	waiting, err := v.place.Waiting(v.ctx())
	if err != nil {
		return err
	}
	now, fields := v.written(person, waiting), []page.Edited{}
	for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields) {
		fields = append(fields, page.Edited{Name: name, Label: v.labelled(name), Mine: typed[name], Theirs: now[name],
			Was: strings.ReplaceAll(v.FormValue(components.FirstPrefix+name), "\r\n", "\n")})
	}
	c := v.clashes(person.UpdatedAt.String(), fields, v.path("place/profile"), "own.changedby", v.T("own.this"))
	c.Kept = append(c.Kept, components.Hidden{Name: "settled", Value: "1"})
	if person.Here != nil {
		c.Kept = append(c.Kept, components.Hidden{Name: "here", Value: person.Here.UpdatedAt.String()})
	}
	return v.Render(http.StatusConflict, pages.Profile(pages.ProfilePage{Public: v.sheet(v.T("profile.title")), Conflict: c}))
}

// keepPhoto sets the form's photo, or removes the present one; changed says so, "" for neither.
func (v *visit) keepPhoto() (changed string, err error) {
	if v.Value("do") == "remove" {
		waits, err := v.place.RemovePhoto(v.ctx())
		return v.photoKept(waits, "profile.photoremoved"), err
	}
	if _, came := v.skimmed["photo"]; came {
		return "", store.Invalidf("photo", "is larger than 10 MB. Choose a smaller one")
	}
	upload, given, err := v.File("photo")
	if !given && v.Value("do") == "photo" {
		err = store.Invalidf("photo", "is missing; choose a file")
	}
	if !given || err != nil {
		return "", err
	}
	waits, err := v.place.SetPhoto(v.ctx(), v.event, upload)
	return v.photoKept(waits, "profile.photothere"), err
}
