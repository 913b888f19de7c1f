package call

import (
	"context"
	"fmt"
	"net/http"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// callCode reads the access code of the path.
func callCode(v *visit.Visit) (*cfp.UsedCode, error) {
	v.Section = v.At("/call")
	codes, err := theCall(v).Codes(v.UserContext())
	return visit.OneOf(codes, err, v.Params("code"), func(c *cfp.UsedCode) string { return c.ID },
		"There is no such access code.")
}

func listCodes(v *visit.Visit, f *cfp.Form) error {
	return codesPage(v, http.StatusOK, f, pages.CodeForm{})
}

func codesPage(v *visit.Visit, status int, f *cfp.Form, form pages.CodeForm) error {
	codes, err := theCall(v).Codes(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.CodesPage{Form: form, Twice: page.Twice(form.Expires, v.Event.Location())}
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

func codeForm(v *visit.Visit) pages.CodeForm {
	return pages.CodeForm{Code: v.Value("code"), Note: v.Value("note"), MaxUses: v.Value("max_uses"),
		Expires: v.Clock("expires_at")}
}

// codeInput reads a code from the form; now is its present expiry, whose exact moment stays if the field was not
// touched.
func codeInput(v *visit.Visit, form pages.CodeForm, was string, now *store.Time) (in cfp.CodeInput, err error) {
	in = cfp.CodeInput{Code: form.Code, Note: form.Note, ExpiresAt: now}
	if in.MaxUses, err = visit.WholeNumber("max_uses", form.MaxUses); err != nil {
		return in, err
	}
	end, err := page.MovedClock("expires_at", form.Expires, was, v.Event.Location())
	in.ExpiresAt = end.Or(now)
	return in, err
}

func makeCode(v *visit.Visit, f *cfp.Form) error {
	form := codeForm(v)
	in, err := codeInput(v, form, "", nil)
	if err == nil {
		err = v.Once(func(ctx context.Context) (string, error) {
			code, err := theCall(v).MakeCode(ctx, in)
			if err != nil {
				return "", err
			}
			in.Code = code.Code
			return v.At("/call/codes#code-" + code.ID), nil
		})
	}
	if err != nil {
		return v.Again(err, func(status int) error { return codesPage(v, status, f, form) })
	}
	return v.See(v.At("/call/codes"), "The code "+in.Code+" is there. Copy its link and send it on.")
}

func codeFormOf(v *visit.Visit, c *cfp.UsedCode) pages.CodeForm {
	return pages.CodeForm{Note: c.Note, MaxUses: visit.WholeText(c.MaxUses),
		Expires: page.ClockText(page.ClockOf(c.ExpiresAt, v.Event.Location()))}
}

func editCodeForm(v *visit.Visit, c *cfp.UsedCode) error {
	values := codeFormOf(v, c)
	return codePage(v, http.StatusOK, c, pages.CodePage{Form: values, Was: values, UpdatedAt: c.UpdatedAt.String()})
}

func codePage(v *visit.Visit, status int, c *cfp.UsedCode, p pages.CodePage) error {
	p.Action, p.Cancel, p.Code = v.At("/call/codes/"+c.ID), v.At("/call/codes"), c.Code.Code
	p.Twice = page.Twice(p.Form.Expires, v.Event.Location())
	return visit.Show(v, status, "The code "+p.Code, pages.CodeEdit, p)
}

func changeCode(v *visit.Visit, c *cfp.UsedCode) error {
	p := pages.CodePage{Form: codeForm(v), UpdatedAt: v.Value("updated_at"), Was: pages.CodeForm{
		Note: v.FirstValue("note"), MaxUses: v.FirstValue("max_uses"),
		Expires: v.Clock(components.FirstPrefix + "expires_at")}}
	in, err := codeInput(v, p.Form, p.Was.Expires, c.ExpiresAt)
	if err == nil {
		token, _ := store.ParseTime(p.UpdatedAt) // a missing token counts as stale
		err = theCall(v).ChangeCode(v.UserContext(), c.ID, in, &token)
	}
	switch {
	case err == nil:
		return v.See(v.At("/call/codes#code-"+c.ID), "The code "+c.Code.Code+" is saved.")
	case store.KindOf(err) == store.Stale:
		now := codeFormOf(v, c)
		p.Conflict, err = v.Conflict(v.Event.ID, c.UpdatedAt, []page.Edited{
			{Name: "note", Label: "For", Was: p.Was.Note, Mine: p.Form.Note, Theirs: now.Note},
			{Name: "max_uses", Label: "Submissions, at most", Was: p.Was.MaxUses, Mine: p.Form.MaxUses,
				Theirs: now.MaxUses},
			{Name: "expires_at", Label: "Good until", Was: p.Was.Expires, Mine: p.Form.Expires, Theirs: now.Expires,
				Show: func(text string) string { return page.ClockWords(text, v.Event.Location()) }},
		})
		if err != nil {
			return err
		}
		p.Conflict.Action, p.Conflict.Discard = v.At("/call/codes/"+c.ID), v.At("/call/codes/"+c.ID)
		return codePage(v, http.StatusConflict, c, p)
	}
	return v.Again(err, func(status int) error { return codePage(v, status, c, p) })
}

func endCode(v *visit.Visit, c *cfp.UsedCode) error {
	return v.Done(theCall(v).EndCode(v.UserContext(), c.ID), v.At("/call/codes"),
		"The code "+c.Code.Code+" lets nobody in any more. What came by it stays.")
}
