package staff

import (
	"net/http"

	"lectern/models/store"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// staffMailShown is how many mails a page shows.
const staffMailShown = 50

// listStaffMail shows what was mailed to the organization's staff.
func listStaffMail(v *visit.Visit) error {
	l := v.PlainListing("page")
	rows, found, err := v.StaffMails().Log(v.UserContext(), store.Page{Number: l.Page(), Size: staffMailShown})
	if err != nil {
		return err
	}
	base := visit.StaffPath + "/mail"
	if len(rows) == 0 && found.TotalResults > 0 { // beyond the last page
		return v.SeeInstead(base + "?" + l.OnPage(found.TotalPages).Query.Encode())
	}
	p := pages.MailPage{Pages: visit.PagesOf(base, l, found, "mails")}
	for _, row := range rows {
		state, why, tone := v.LetterState(row)
		p.Rows = append(p.Rows, pages.MailRow{Email: row.Email, Subject: row.Subject,
			Created: page.When(&row.CreatedAt, v.Zone()),
			State:   state, Why: why, Tone: tone})
	}
	v.Section = visit.StaffPath
	return visit.Show(v, http.StatusOK, "Mail to staff", pages.Mail, p)
}
