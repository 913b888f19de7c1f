package call

import (
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/call"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// labelled returns the label of a field of the profile.
func (v *visit) labelled(field string) string { return v.T("profile." + field) }

func profileForm(v *visit) error { return v.profilePage(http.StatusOK, nil) }

// showAvailability redirects to the form that asks for it.
func showAvailability(v *visit) error { return v.SeeInstead(v.path("place/profile") + "#when-you-can") }

// valuesOf returns a person's values as the form holds them.
func valuesOf(x *models.Person) map[string]string {
	values := map[string]string{}
	for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields) {
		values[name] = models.ContactFieldNamed(name).Value(x)
	}
	values["about"] = call.AsText(values["about"])
	return values
}

// profilePage shows the form with the stored values, or with typed ones.
func (v *visit) profilePage(status int, typed map[string]string) error {
	person, err := v.place.Profile(v.ctx(), v.event)
	if err != nil {
		return err
	}
	waiting, err := v.place.Waiting(v.ctx())
	if err != nil {
		return err
	}
	kept := v.written(person, waiting)
	values := kept
	if typed != nil {
		values = typed
	}
	account := v.place.Account()
	p := pages.ProfilePage{Public: v.sheet(v.T("profile.both")), Action: v.path("place/profile"),
		ContactToken: person.UpdatedAt.String(), Photo: person.PhotoPath(), Name: person.FullName, Email: account.Email,
		Confirmed: account.IsConfirmed(),
		Account: pages.AccountView{PasswordTo: v.path("place/password"), LeaveTo: v.path("place/leave-others"),
			FreshTo: v.freshTo(), PasskeysTo: v.path("place/passkeys"),
			Has: account.HasPassword(), Needs: v.place.NeedsPassword(),
			NeedsLink: v.place.NeedsLink(), Masked: account.Masked()}}
	if v.place.IsNarrow() {
		p.Account.LeaveTo, p.Account.PasskeysTo = "", ""
	}
	v.profileWaits(&p, waiting)
	p.Scripts = []string{pages.SizeScript}
	if p.Account.Devices, err = v.place.Devices(v.ctx()); err != nil {
		return err
	}
	field := func(name, hint string) components.Field {
		return components.Field{Name: name, Label: v.labelled(name), Hint: hint, Value: values[name],
			Fault: v.Faults.Of(name)}
	}
	p.First, p.Last = field("first_name", v.T("profile.firsthint")), field("last_name", v.T("profile.lasthint"))
	p.First.Required, p.First.Autocomplete, p.Last.Autocomplete = true, "given-name", "family-name"
	p.Sort = field("sort_name", v.T("profile.sorthintof", "Name", person.SortedUnder()))
	if kept["sort_name"] != "" {
		p.Sort.Hint = v.T("profile.sorthint")
	}
	p.About = field("about", "")
	p.Job, p.Company = field("job_title", ""), field("company_name", "")
	p.Website, p.Linkedin = field("website_url", ""), field("linkedin_url", "")
	for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields) {
		first := kept[name]
		if typed != nil {
			first = v.FormValue(components.FirstPrefix + name)
		}
		p.Was = append(p.Was, components.Hidden{Name: name, Value: first})
	}
	if person.Here != nil {
		p.HereToken = person.Here.UpdatedAt.String()
		v.days(&p, values["away"])
		p.More = field("availability", "")
	}
	if err := v.elsewhere(&p); err != nil {
		return err
	}
	return v.Render(status, pages.Profile(p))
}

// days adds the table of the event's days and their parts.
func (v *visit) days(p *pages.ProfilePage, away string) {
	gone, dates := models.Absences(away), v.event.Dates()
	for _, date := range dates {
		p.Days = append(p.Days, components.Option{Value: date, Name: v.DayName(page.Date(date))})
	}
	var shown []models.Absence
	for _, part := range models.DayParts {
		row := pages.PartRow{Name: v.partName(part)}
		for _, date := range dates {
			part.Day = date
			shown = append(shown, part)
			row.Cells = append(row.Cells, pages.PartCell{Value: part.String(), Can: !slices.Contains(gone, part),
				Name: v.DayName(page.Date(date)) + ", " + v.partName(part)})
		}
		if len(dates) > 0 {
			row.Yours = v.yourPart(dates[0], part)
		}
		p.Parts = append(p.Parts, row)
	}
	for _, a := range gone {
		if !slices.Contains(shown, a) {
			p.Others = append(p.Others, components.Option{Value: a.String(),
				Name: v.Language.Day(page.Date(a.Day)) + ", " + v.partName(a)})
		}
	}
}

// partName names a part of a day.
func (v *visit) partName(a models.Absence) string {
	switch {
	case a.From == "00:00" && a.Until == "24:00":
		return v.T("profile.allday")
	case a.From == "00:00":
		return v.T("profile.until", "Clock", a.Until)
	case a.Until == "24:00":
		return v.T("profile.from", "Clock", a.From)
	}
	return a.From + "–" + a.Until
}

// yourPart returns a part of a day by the reader's clock, "" where it is the same or unknown.
func (v *visit) yourPart(date string, part models.Absence) string {
	zone := v.Yours()
	if zone == nil {
		return ""
	}
	from, until := v.event.Clock(date, part.From).In(zone).Format("15:04"), v.event.Clock(date,
		part.Until).In(zone).Format("15:04")
	if from == part.From {
		return ""
	}
	switch {
	case part.From == "00:00":
		return v.T("profile.youruntil", "Clock", until)
	case part.Until == "24:00":
		return v.T("profile.yourfrom", "Clock", from)
	}
	return from + "–" + until
}

// elsewhere links to the same form at the other events where the speaker has something.
func (v *visit) elsewhere(p *pages.ProfilePage) error {
	all, err := v.place.OwnSessions(v.ctx())
	for _, m := range all {
		url := pathOf(m.Event, "place/profile") + "#when-you-can"
		if m.EventID != v.event.ID && !slices.ContainsFunc(p.Elsewhere, func(l layouts.Link) bool { return l.URL == url }) {
			p.Elsewhere = append(p.Elsewhere, layouts.Link{Name: v.T("profile.elsewhere", "Event", m.Event.Name), URL: url})
		}
	}
	return err
}
