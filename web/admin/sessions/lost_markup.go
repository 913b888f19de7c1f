package sessions

import (
	"crypto/sha256"
	"encoding/hex"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// LostMarkup is one thing that cleaning removes from a typed text, in words.
type LostMarkup struct{ one, detail string }

// elementWords name the elements that are removed.
var elementWords = map[string][2]string{
	"":       {"a comment", "comments"},
	"script": {"a script", "scripts"}, "style": {"a style sheet", "style sheets"},
	"iframe": {"an embedded page", "embedded pages"}, "object": {"an embedded object", "embedded objects"},
	"embed": {"an embedded object", "embedded objects"}, "form": {"a form", "forms"}, "input": {"a field", "fields"},
	"button": {"a button", "buttons"}, "img": {"a picture", "pictures"}, "video": {"a video", "videos"},
	"audio": {"a recording", "recordings"}, "svg": {"a drawing", "drawings"}, "a": {"a link", "links"},
}

// LosesMarkup returns what a text loses on save.
func LosesMarkup(text string) (out []LostMarkup) {
	for _, r := range store.RemovedHTML(store.Paragraphs(text)) {
		words, known := elementWords[r.Element]
		said := words[0]
		switch {
		case r.Attribute != "":
			said = r.Attribute + " of <" + r.Element + ">"
		case !known:
			said = "<" + r.Element + ">"
		}
		if r.Count > 1 {
			if r.Attribute != "" || !known {
				said += ", " + visit.Number(int64(r.Count)) + " times"
			} else {
				said = visit.Number(int64(r.Count)) + " " + words[1]
			}
		}
		out = append(out, LostMarkup{said, visit.Cut(r.Value)})
	}
	return out
}

// LossInWords names what is lost: "a script and 2 links".
func LossInWords(lost []LostMarkup) string {
	names := store.Map(lost, func(l LostMarkup) string { return l.one })
	if len(names) > 4 {
		names = append(names[:3], "more")
	}
	return visit.Enumerated(names)
}

// sumOf returns a short hash of a text, by which a form says that its loss was shown.
func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// KnowsLoss tells whether the form was sent from a page that showed what this very text loses.
func KnowsLoss(v *visit.Visit, text string) bool { return v.Value("loses") == sumOf(text) }

// RemovedOnSave returns what a page shows about a text's loss; nil for none.
func RemovedOnSave(text string, lost []LostMarkup) *records.RemovedOnSave {
	if len(lost) == 0 {
		return nil
	}
	clean, err := store.CleanHTML("description", store.Paragraphs(text), store.MaxDescription)
	p := &records.RemovedOnSave{Sum: sumOf(text), Stays: clean}
	if err != nil { // saving reports that error
		p.Stays = ""
	}
	for _, l := range lost {
		p.Lost = append(p.Lost, records.LostMarkup{What: components.Sentence(components.Fault{Message: l.one}),
			Detail: l.detail})
	}
	return p
}
