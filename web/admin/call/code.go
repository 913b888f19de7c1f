package call

import (
	"context"
	"fmt"
	"net/http"

	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// callCode reads the access code of the path.
func callCode(v *visit.Visit) (*call.UsedCode, error) {
	v.Section = v.At("/call")
	codes, err := theCall(v).Codes(v.UserContext())
	return visit.OneOf(codes, err, v.Params("code"), func(c *call.UsedCode) string { return c.ID },
		"There is no such access code.")
}

func listCodes(v *visit.Visit, f *call.Form) error {
	return codesPage(v, http.StatusOK, f, newCode(v))
}

func codesPage(v *visit.Visit, status int, f *call.Form, e *page.Edit) error {
	codes, err := theCall(v).Codes(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.CodesPage{Edit: e.Shown(), Twice: page.Twice(e.Of("expires_at"), v.Event.Location())}
	if p.Top, err = callHead(v, f, "/codes"); err != nil {
		return err
	}
	now := store.At(v.Options.Now())
	for _, c := range codes {
		row := pages.Code{ID: c.ID, Code: c.Code.Code, Note: c.Note, Uses: visit.Number(int64(c.Uses)), Until: "Any time",
			URL: v.Options.BaseURL + p.Public + "?code=" + c.Code.Code}
		if c.MaxUses != nil {
			row.Uses = fmt.Sprintf("%d of %d", c.Uses, *c.MaxUses)
		}
		if c.ExpiresAt != nil {
			row.Until = page.When(c.ExpiresAt, v.Event.Location())
		}
		switch {
		case c.ExpiresAt != nil && !now.Before(c.ExpiresAt.Time):
			row.Over = "Ended " + row.Until
		case c.IsOver(now):
			row.Over = "Used up"
		}
		p.Codes = append(p.Codes, row)
	}
	return v.Render(status, pages.Codes(p))
}

// codeFields are the fields of a code's form.
func codeFields(v *visit.Visit, c *call.UsedCode) []page.Edited {
	return []page.Edited{{Name: "note", Label: "For", Theirs: c.Note},
		{Name: "max_uses", Label: "Submissions, at most", Theirs: visit.WholeText(c.MaxUses)},
		page.EditedMoment("expires_at", "Good until", c.ExpiresAt, v.Event.Location())}
}

// newCode reads the form of a code that is to be made.
func newCode(v *visit.Visit) *page.Edit {
	return v.Sent(store.Time{}, append(codeFields(v, &call.UsedCode{}), page.Edited{Name: "code", Label: "Code"}))
}

// codeInput reads a code from the form; now is its present expiry, whose exact moment stays if the field was not
// touched.
func codeInput(e *page.Edit, now *store.Time) (in call.CodeInput, err error) {
	in = call.CodeInput{Code: e.Of("code"), Note: e.Of("note"), ExpiresAt: now}
	if in.MaxUses, err = visit.WholeNumber("max_uses", e.Of("max_uses")); err != nil {
		return in, err
	}
	end, err := e.Moved("expires_at")
	in.ExpiresAt = end.Or(now)
	return in, err
}

func makeCode(v *visit.Visit, f *call.Form) error {
	e := newCode(v)
	in, err := codeInput(e, nil)
	var made *call.Code
	if err == nil {
		made, err = visit.Made(v, func(ctx context.Context) (*call.Code, error) { return theCall(v).MakeCode(ctx, in) },
			func(c *call.Code) string { return v.At("/call/codes#code-" + c.ID) })
	}
	if err != nil {
		return v.Again(err, func(status int) error { return codesPage(v, status, f, e) })
	}
	return v.See(v.At("/call/codes"), "The code "+made.Code+" is there. Copy its link and send it on.")
}

func editCodeForm(v *visit.Visit, c *call.UsedCode) error {
	return codePage(v, http.StatusOK, c, page.Opened(c.UpdatedAt, codeFields(v, c)))
}

func codePage(v *visit.Visit, status int, c *call.UsedCode, e *page.Edit) error {
	return visit.Show(v, status, "The code "+c.Code.Code, pages.CodeEdit, pages.CodePage{Edit: e.Shown(),
		Action: v.At("/call/codes/" + c.ID), Cancel: v.At("/call/codes"),
		Twice: page.Twice(e.Of("expires_at"), v.Event.Location())})
}

func changeCode(v *visit.Visit, c *call.UsedCode) error {
	e := v.Sent(c.UpdatedAt, codeFields(v, c))
	in, err := codeInput(e, c.ExpiresAt)
	if err == nil {
		err = theCall(v).ChangeCode(v.UserContext(), c.ID, in, e.Token)
	}
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/call/codes/"+c.ID), func(status int) error {
			return codePage(v, status, c, e)
		})
	}
	return v.See(v.At("/call/codes#code-"+c.ID), "The code "+c.Code.Code+" is saved.")
}

func endCode(v *visit.Visit, c *call.UsedCode) error {
	return v.Done(theCall(v).EndCode(v.UserContext(), c.ID), v.At("/call/codes"),
		"The code "+c.Code.Code+" lets nobody in any more. What came by it stays.")
}
