package admin

import (
	"context"
	"fmt"
	"net/http"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// callCode is the access code of the address.
func callCode(v *visit) (*cfp.UsedCode, error) {
	v.section = v.at("/call")
	codes, err := v.theCall().Codes(v.UserContext())
	return oneOf(codes, err, v.Params("code"), func(c *cfp.UsedCode) string { return c.ID },
		"There is no such access code.")
}

func listCodes(v *visit, f *cfp.Form) error {
	return v.codesPage(http.StatusOK, f, pages.CallCodeForm{})
}

func (v *visit) codesPage(status int, f *cfp.Form, form pages.CallCodeForm) error {
	codes, err := v.theCall().Codes(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.CallCodesPage{Form: form, Twice: page.Twice(form.Expires, v.event.Location())}
	if p.CallHead, err = v.callHead(f, "/codes", "Call for papers"); err != nil {
		return err
	}
	now := store.At(v.options.Now())
	for _, c := range codes {
		row := pages.CallCode{ID: c.ID, Code: c.Code.Code, Note: c.Note, Uses: number(int64(c.Uses)), Until: "Any time",
			URL: v.options.BaseURL + p.Public + "?code=" + c.Code.Code}
		if c.MaxUses != nil {
			row.Uses = fmt.Sprintf("%d of %d", c.Uses, *c.MaxUses)
		}
		if c.ExpiresAt != nil {
			row.Until = page.When(c.ExpiresAt, v.event.Location())
		}
		switch {
		case c.ExpiresAt != nil && !now.Before(c.ExpiresAt.Time):
			row.Over = "Ended " + row.Until
		case c.IsOver(now):
			row.Over = "Used up"
		}
		p.Codes = append(p.Codes, row)
	}
	return v.Render(status, pages.CallCodes(p))
}

func (v *visit) codeForm() pages.CallCodeForm {
	return pages.CallCodeForm{Code: v.Value("code"), Note: v.Value("note"), MaxUses: v.Value("max_uses"),
		Expires: v.Clock("expires_at")}
}

// codeInput is what the form says of a code. What was not touched of its end stays the moment it is.
func (v *visit) codeInput(form pages.CallCodeForm, was string, now *store.Time) (in cfp.CodeInput, err error) {
	in = cfp.CodeInput{Code: form.Code, Note: form.Note, ExpiresAt: now}
	if in.MaxUses, err = whole("max_uses", form.MaxUses); err != nil {
		return in, err
	}
	end, err := page.MovedClock("expires_at", form.Expires, was, v.event.Location())
	in.ExpiresAt = end.Or(now)
	return in, err
}

func makeCode(v *visit, f *cfp.Form) error {
	form := v.codeForm()
	in, err := v.codeInput(form, "", nil)
	if err == nil {
		err = v.Once(func(ctx context.Context) (string, error) {
			code, err := v.theCall().MakeCode(ctx, in)
			if err != nil {
				return "", err
			}
			in.Code = code.Code
			return v.at("/call/codes#code-" + code.ID), nil
		})
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.codesPage(status, f, form) })
	}
	return v.See(v.at("/call/codes"), "The code "+in.Code+" is there. Copy its link and send it on.")
}

func codeFormOf(v *visit, c *cfp.UsedCode) pages.CallCodeForm {
	return pages.CallCodeForm{Note: c.Note, MaxUses: wholeText(c.MaxUses),
		Expires: page.ClockText(page.ClockOf(c.ExpiresAt, v.event.Location()))}
}

func editCodeForm(v *visit, c *cfp.UsedCode) error {
	values := codeFormOf(v, c)
	return v.codePage(http.StatusOK, c, pages.CallCodePage{Form: values, Was: values, UpdatedAt: c.UpdatedAt.String()})
}

func (v *visit) codePage(status int, c *cfp.UsedCode, p pages.CallCodePage) error {
	p.Action, p.Cancel, p.Code = v.at("/call/codes/"+c.ID), v.at("/call/codes"), c.Code.Code
	p.Twice = page.Twice(p.Form.Expires, v.event.Location())
	return show(v, status, "The code "+p.Code, pages.CallCodeEdit, p)
}

func changeCode(v *visit, c *cfp.UsedCode) error {
	p := pages.CallCodePage{Form: v.codeForm(), UpdatedAt: v.Value("updated_at"), Was: pages.CallCodeForm{
		Note: v.FirstValue("note"), MaxUses: v.FirstValue("max_uses"),
		Expires: v.Clock(components.FirstPrefix + "expires_at")}}
	in, err := v.codeInput(p.Form, p.Was.Expires, c.ExpiresAt)
	if err == nil {
		token, _ := store.ParseTime(p.UpdatedAt) // none is as good as an old one
		err = v.theCall().ChangeCode(v.UserContext(), c.ID, in, &token)
	}
	switch {
	case err == nil:
		return v.See(v.at("/call/codes#code-"+c.ID), "The code "+c.Code.Code+" is saved.")
	case store.KindOf(err) == store.Stale:
		now := codeFormOf(v, c)
		p.Conflict, err = v.conflict(v.event.ID, c.UpdatedAt, []page.Edited{
			{Name: "note", Label: "For", Was: p.Was.Note, Mine: p.Form.Note, Theirs: now.Note},
			{Name: "max_uses", Label: "Submissions, at most", Was: p.Was.MaxUses, Mine: p.Form.MaxUses,
				Theirs: now.MaxUses},
			{Name: "expires_at", Label: "Good until", Was: p.Was.Expires, Mine: p.Form.Expires, Theirs: now.Expires,
				Show: func(text string) string { return page.ClockWords(text, v.event.Location()) }},
		})
		if err != nil {
			return err
		}
		p.Conflict.Action, p.Conflict.Discard = v.at("/call/codes/"+c.ID), v.at("/call/codes/"+c.ID)
		return v.codePage(http.StatusConflict, c, p)
	}
	return v.Again(err, func(status int) error { return v.codePage(status, c, p) })
}

func endCode(v *visit, c *cfp.UsedCode) error {
	return v.Done(v.theCall().EndCode(v.UserContext(), c.ID), v.at("/call/codes"),
		"The code "+c.Code.Code+" lets nobody in any more. What came by it stays.")
}
