package admin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

// mailKept is how long the database may take to keep what became of a mail that went out.
const mailKept = 10 * time.Second

// mailLink sends a mail with a link that is kept nowhere. What became of it stands in a log; where there is none (nil),
// as for links by which somebody signs in, nothing is kept.
func (v *visit) mailLink(log *models.Mails, n models.Note, link string) error {
	out := &models.OutgoingLetter{Letter: models.Letter{Subject: n.Subject}, Email: n.Email}
	if log != nil {
		kept := n
		kept.Text = strings.ReplaceAll(n.Text, link, "(a link that is kept nowhere)")
		var err error
		if out, err = log.Begin(v.UserContext(), kept, models.HostOf(v.options.MailFrom)); err != nil {
			return err
		}
	}
	out.Body = n.Text
	sent := v.options.Mail.Send(v.UserContext(), out)
	if log == nil {
		return sent
	}
	end := models.LetterEnd{State: models.LetterSent, Answer: "250: accepted"}
	var fault *models.MailFault
	if errors.As(sent, &fault) {
		end = fault.End
	} else if sent != nil {
		end = models.LetterEnd{State: models.LetterFailed, Answer: "The mail server did not take it"}
	}
	// What became of it is kept although the request ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.UserContext()), mailKept)
	defer cancel()
	return errors.Join(sent, v.store.EndLetter(ctx, out, end))
}

// staffMails are those to the staff that belong to no event.
func (v *visit) staffMails() *models.Mails { return v.store.Mails(v.user.OrganizationID, v.by()) }

// staffMailShown is how many a page of mails to the staff shows.
const staffMailShown = 50

// listStaffMail shows what was written to the staff of the organization.
func listStaffMail(v *visit) error {
	l := v.plainListing("page")
	rows, found, err := v.staffMails().Log(v.UserContext(), store.Page{Number: l.page(), Size: staffMailShown})
	if err != nil {
		return err
	}
	base := staffPath + "/mail"
	if len(rows) == 0 && found.TotalResults > 0 { // behind the last page
		return v.SeeInstead(base + "?" + l.onPage(found.TotalPages).query.Encode())
	}
	p := pages.StaffMailPage{Pages: pagesOf(base, l, found, "mails")}
	for _, row := range rows {
		state, why, tone := v.letterState(row)
		p.Rows = append(p.Rows, pages.StaffMailRow{Email: row.Email, Subject: row.Subject, Created: page.When(&row.CreatedAt, v.zone()),
			State: state, Why: why, Tone: tone})
	}
	v.section = staffPath
	return show(v, http.StatusOK, "Mail to staff", pages.StaffMail, p)
}

// letterTest sends what a text makes of a letter to who asks for it, marked as a test.
func (v *visit) letterTest(subject, body string) error {
	if v.options.Mail == nil {
		return errNoMail
	}
	return v.programme.Mails().Send(v.UserContext(), models.Note{Name: v.user.Name, Email: v.user.Email, Subject: "Test: " + subject, Text: body})
}

// testSent says that a test is on its way.
func (v *visit) testSent() {
	v.TellNow("A test is on its way to "+v.user.Email+". It stands in the outbox.", nil, nil)
}
