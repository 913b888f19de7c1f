package letters

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/letters"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/letters"
	"lectern/web/admin/visit"
)

// barred says why the mail server accepts nothing, "" where no reason is known.
func barred(c *letters.Counts) string {
	if c.Barred == "" {
		return ""
	}
	return "No letter can be sent: " + strings.TrimSuffix(strings.ToLower(c.Barred[:1])+c.Barred[1:], ".") + ". " +
		"They wait, and go out by themselves once who runs this server has mended LECTERN_SMTP_URL."
}

// mailingsShown is how many mailings stand above the drafts.
const mailingsShown = 20

// subjectOf returns a mailing's subject, with only the placeholder filled in that is the same for all.
func subjectOf(v *visit.Visit, m *letters.MailingRow) string {
	return strings.ReplaceAll(m.Subject, "{{event}}", v.Event.Name)
}

// mailingLines fills in the mailings that have drafts.
func mailingLines(v *visit.Visit, p *pages.Page) error {
	rows, err := letters.Of(v.Programme).Mailings(v.UserContext(), mailingsShown)
	for _, m := range rows {
		line := pages.MailingLine{URL: visit.MailingAt(v, m.ID), Subject: subjectOf(v, m),
			To: visit.Counted(m.People, "person", "people"), By: m.ByName,
			State: visit.Counted(m.Ready, "letter", "letters") + " can be sent.", Problem: visit.JoinWords(" ",
				mailingProblems(m)...)}
		if m.Version == 0 {
			line.Subject, line.State = "Not written yet", ""
		}
		p.Mailings = append(p.Mailings, line)
	}
	return err
}

// letterKindWords name the kinds of drafts, for one and for many.
var letterKindWords = map[models.LetterKind][2]string{models.LetterAccepted: {"acceptance", "acceptances"},
	models.LetterDeclined: {"refusal", "refusals"}, models.LetterFree: {"free letter", "free letters"},
	models.LetterUndone: {"letter that takes a decision back", "letters that take a decision back"}}

// letterKindTabs name their tabs.
var letterKindTabs = map[models.LetterKind]string{
	models.LetterAccepted: "Acceptances", models.LetterDeclined: "Refusals",
	models.LetterUndone: "Taken back", models.LetterFree: "Free letters", models.LetterCall: "Call for papers",
	models.LetterNote: "Notes to staff", models.LetterInvitation: "Invitations of staff",
}

// allLetterKinds are all kinds of letters, including those that are never drafts, in order.
var allLetterKinds = append(slices.Clone(letters.Kinds), models.LetterCall, models.LetterNote, models.LetterInvitation)

// letterKindIn returns the kind of letters that an address names on a tab, "" for any other name.
func letterKindIn(tab letters.Tab, name string) models.LetterKind {
	if kind := models.LetterKind(name); tab != letters.DraftLetters && slices.Contains(allLetterKinds, kind) {
		return kind
	}
	return letterKind(name)
}

// kindsIn fills in the kinds of letters on a tab other than that of drafts.
func kindsIn(v *visit.Visit, p *pages.Page, tab letters.Tab, choice letters.Choice) error {
	kinds, err := letters.Of(v.Programme).KindsIn(v.UserContext(), tab, choice.Text)
	if err != nil || len(kinds) < 2 && choice.Kind == "" {
		return err
	}
	at := func(name string, kind models.LetterKind, n int64) components.Tab {
		query := url.Values{"tab": {string(tab)}}
		for key, value := range map[string]string{"kind": string(kind), "q": choice.Text} {
			if value != "" {
				query.Set(key, value)
			}
		}
		return components.Tab{Name: name, URL: p.Base + "?" + query.Encode(), Count: visit.Number(n),
			Current: kind == choice.Kind}
	}
	var all int64
	for _, kind := range allLetterKinds {
		if all += kinds[kind]; kinds[kind] > 0 || kind == choice.Kind {
			p.Kinds = append(p.Kinds, at(letterKindTabs[kind], kind, kinds[kind]))
		}
	}
	p.Kind, p.Kinds = string(choice.Kind), append([]components.Tab{at("All", "", all)}, p.Kinds...)
	return nil
}

// letterKind returns the kind of drafts that an address names, "" for any other name.
func letterKind(name string) models.LetterKind {
	if kind := models.LetterKind(name); slices.Contains(letters.Kinds, kind) {
		return kind
	}
	return ""
}

// ofKind counts letters of a kind: "3 refusals", or "3 letters" for several kinds.
func ofKind(kind models.LetterKind, n int64) string {
	if words, known := letterKindWords[kind]; known {
		return visit.Counted(n, words[0], words[1])
	}
	return visit.Counted(n, "letter", "letters")
}

// chosenLetters returns all kinds of drafts, and counts the letters that a choice would send, by kind in words and in
// all.
func chosenLetters(v *visit.Visit, c letters.Choice) (all []letters.KindOfDrafts, words []string, n int64,
	err error) {
	all, err = letters.Of(v.Programme).DraftKinds(v.UserContext(), c.Text)
	for _, k := range all {
		if k.Ready > 0 && (k.Kind == c.Kind || c.Kind == "" && k.Kind != models.LetterFree) {
			n += k.Ready
			words = append(words, ofKind(k.Kind, k.Ready))
		}
	}
	return all, words, n, err
}

// letterChoice fills in the kinds of drafts, and what the button would send of those shown.
func letterChoice(v *visit.Visit, p *pages.Page, choice letters.Choice) error {
	kinds, _, ready, err := chosenLetters(v, choice)
	if err != nil {
		return err
	}
	at := func(path string, kind models.LetterKind) string {
		query := url.Values{}
		if kind != "" {
			query.Set("kind", string(kind))
		}
		if choice.Text != "" {
			query.Set("q", choice.Text)
		}
		if len(query) == 0 {
			return p.Base + path
		}
		return p.Base + path + "?" + query.Encode()
	}
	if ready > 0 {
		p.Ready, p.Send = ofKind(choice.Kind, ready), at("/send", choice.Kind)
	}
	p.Kind = string(choice.Kind)
	var decisions int64
	for _, k := range kinds {
		if k.Kind != models.LetterFree {
			decisions += k.Drafts
		}
		if k.Drafts > 0 || k.Kind == choice.Kind {
			p.Kinds = append(p.Kinds, components.Tab{Name: letterKindTabs[k.Kind], URL: at("", k.Kind),
				Count:   visit.Number(k.Drafts),
				Current: k.Kind == choice.Kind})
		}
	}
	if len(p.Kinds) == 1 && choice.Kind == "" && decisions > 0 { // all drafts are of one kind
		p.Kinds = nil
	} else if len(p.Kinds) > 0 {
		all := components.Tab{Name: "All decisions", URL: at("", ""), Count: visit.Number(decisions),
			Current: choice.Kind == ""}
		p.Kinds = append([]components.Tab{all}, p.Kinds...)
	}
	return nil
}

// askSendLetters asks for confirmation before letters are sent.
func askSendLetters(v *visit.Visit) error {
	choice := letters.Choice{Kind: letterKind(v.Query("kind")), Text: v.Query("q")}
	_, words, ready, err := chosenLetters(v, choice)
	if err != nil {
		return err
	}
	people, err := letters.Of(v.Programme).ReadyPeople(v.UserContext(), choice)
	if err != nil {
		return err
	}
	c, err := letters.Of(v.Programme).Counts(v.UserContext())
	if err != nil {
		return err
	}
	base := v.At("/letters")
	if ready == 0 || v.Options.Mail == nil {
		return v.SeeWarning(base, "There is no letter that can be sent.")
	}
	n := ofKind(choice.Kind, ready)
	p := layouts.ConfirmPage{Action: base + "/send", Cancel: base, Verb: "Send " + n, Keeps: true,
		Text: n + " to " + visit.Counted(people, "person", "people") + ". " + waitsFirst(ready),
		Hidden: []components.Hidden{{Name: "expected", Value: strconv.FormatInt(ready, 10)},
			{Name: "kind", Value: string(choice.Kind)}, {Name: "q", Value: choice.Text}}}
	if choice.Kind == "" {
		p.Points = append(p.Points, visit.Enumerated(words)+".")
	}
	if choice.Text != "" {
		p.Points = append(p.Points, "Only those found by “"+choice.Text+"”.")
	}
	both, err := yesAndNo(v, choice)
	if err != nil {
		return err
	}
	if both != "" {
		p.Points = append(p.Points, both+" One letter of both can be made on the page of letters.")
	}
	if v.Options.MailFrom != "" {
		p.Points = append(p.Points, "They come from "+v.Options.MailFrom+".")
	}
	if choice == (letters.Choice{}) && c.NoReach+c.Missing > 0 {
		p.Points = append(p.Points, visit.Counted(c.Drafts-c.Free-c.Ready, "draft stays", "drafts stay")+
			" here: "+visit.Number(c.NoReach)+" without an e-mail address, "+visit.Number(c.Missing)+" with a placeholder without a value.")
	}
	return v.Ask("Send "+n+"?", p)
}

// yesAndNo says who would get both an acceptance and a refusal, "" for nobody.
func yesAndNo(v *visit.Visit, choice letters.Choice) (string, error) {
	names, both, err := letters.Of(v.Programme).YesAndNo(v.UserContext(), choice, visit.TitlesShown)
	if err != nil || both == 0 {
		return "", err
	}
	return visit.Counted(both, "person gets", "people get") + " a yes and a no: " +
		visit.JoinWords(" ", strings.Join(names, ", "), visit.AndMore(both, len(names))) + ".", nil
}

func sendLetters(v *visit.Visit) error {
	choice := letters.Choice{Kind: letterKind(v.Value("kind")), Text: v.Value("q")}
	return queueLetters(v, func(ctx context.Context, expected int64) (int64, error) {
		return letters.Of(v.Programme).SendChosen(ctx, choice, expected)
	}, "in line. Nothing leaves for a minute.")
}

func retryLetters(v *visit.Visit) error {
	return queueLetters(v, letters.Of(v.Programme).RetryLetters, "tried again in a minute.")
}
