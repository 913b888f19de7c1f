package tasks

import (
	"net/http"
	"strings"

	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// sizeScript warns of a file that is too large before it is sent.
const sizeScript = "/static/filesize.js"

// deliverable reads the deliverable of the path, with its versions and comments.
func deliverable(v *visit.Visit) (*tasks.Sheet, error) {
	v.Section = v.At("/tasks")
	return v.TasksOf().One(v.UserContext(), v.Params("task"), v.Params("owner"))
}

func showDeliverable(v *visit.Visit, s *tasks.Sheet) error {
	return sheetPage(v, http.StatusOK, s, pages.Typed{})
}

// sheetPage shows a deliverable; typed is what was typed in a refused form.
func sheetPage(v *visit.Visit, status int, s *tasks.Sheet, typed pages.Typed) error {
	t, due := s.Task, s.DueAt
	p := pages.SheetPage{Base: v.At("/tasks"), Here: v.TaskAt(s.Deliverable), Row: v.BareTaskRow(s.Deliverable, v.Now()),
		Kind: kindNames[t.Kind], Instructions: t.Instructions, EditTask: v.At("/tasks/" + t.ID + "/edit"), AllOf: v.At("/tasks?task=" + t.ID),
		IsFile: t.Kind == tasks.File, HandsIn: t.Kind.HasVersions() && s.State != tasks.Approved && s.State != tasks.Waived, Verdicts: verdictsOf(s),
		Zone: page.City(v.Event.Timezone), Seen: latest(s), Typed: typed, DueAt: page.ClockText(page.ClockOf(due, v.Zone()))}
	if status == http.StatusUnprocessableEntity && v.Faults.Of("due_at") != "" {
		p.DueAt = v.Clock("due_at")
	}
	p.Twice = page.Twice(p.DueAt, v.Zone())
	p.Row.Label, p.Row.Owner = s.Label, s.Owner
	p.OwnerURL = ownerAt(v, s.Deliverable)
	if t.Kind == tasks.Form {
		p.Answers = v.At("/speakers/" + s.OwnerID() + "/answers")
	}
	if p.IsFile {
		q := t.Question()
		p.Takes, p.Bytes, p.Script = q.TakenWords()+".", q.Bytes(), sizeScript
		p.Endings = strings.Join(q.Endings(), ",")
	}
	if t.DueAt != nil {
		p.TaskDue = v.TaskClock(*t.DueAt)
	}
	if s.RemindedAt != nil {
		p.Reminded = page.When(s.RemindedAt, v.Zone())
	}
	sheetWords(v, &p, s)
	sheetParts(v, &p, s)
	n, err := v.ToCheck(v.Programme)
	if n > 0 {
		p.ToCheck = visit.Number(n) + " to check"
		p.Check = v.At("/tasks/check?after=" + s.TaskID + s.OwnerID())
		if n == 1 && s.IsToCheck() {
			p.Check = ""
		}
	}
	if err != nil {
		return err
	}
	return visit.Show(v, status, t.Title+": "+s.Owner, pages.Sheet, p)
}

// sheetWords says how a deliverable came to its state.
func sheetWords(v *visit.Visit, p *pages.SheetPage, s *tasks.Sheet) {
	deed := map[tasks.State]string{tasks.Done: "Handed in", tasks.Changes: "Changes were asked for", tasks.Approved: "Approved",
		tasks.Waived: "Waived", tasks.Open: "Opened again"}[s.State]
	switch {
	case s.State == tasks.Done && !s.Task.Kind.HasVersions():
		deed = "Said to be done"
	case s.State == tasks.Open && s.By == "":
		deed = "Nothing was handed in yet."
	}
	if p.Stands = deed; s.By != "" {
		p.Stands = deed + " by " + s.By + ", " + page.When(&s.StateAt, v.Zone())
	}
	p.Words, p.WordsName = s.Words, "Why it is waived"
	if s.State == tasks.Changes {
		p.WordsName = "To be changed"
		if n := len(s.Comments); n > 0 && s.Comments[n-1].Text == s.Words {
			p.Words = "" // they are the last comment already
		}
	}
}

// sheetParts fills in whose deliverable it is, its versions, and its comments.
func sheetParts(v *visit.Visit, p *pages.SheetPage, s *tasks.Sheet) {
	for _, x := range s.People {
		p.People = append(p.People, pages.Person{Name: x.Name, URL: v.At("/speakers/" + x.ID)})
	}
	for _, version := range s.Versions {
		row := pages.Version{ID: version.ID, Counts: version == s.Latest(), CanCount: p.HandsIn, Number: version.Number, Who: version.Author, When: page.When(&version.CreatedAt, v.Zone()),
			ByStaff: version.AuthorID == nil, Name: version.URL, URL: version.URL, IsLink: version.FileID == nil}
		if !row.IsLink {
			row.Name, row.URL = "This file is gone", ""
		}
		if version.File != nil {
			row.Name, row.Size, row.URL = version.File.Name, page.Size(version.File.Size), p.Here+"/versions/"+version.ID
			if shown := page.Previewed(version.File.Name); shown != "" {
				row.Preview, row.IsPicture = row.URL+"/preview", page.IsPicture(shown)
			}
		}
		p.Versions = append(p.Versions, row)
	}
	for _, c := range s.Comments {
		p.Thread = append(p.Thread, pages.Comment{Who: c.Author, When: page.When(&c.CreatedAt, v.Zone()), Text: c.Text,
			OfStaff: c.IsOfStaff()})
	}
}

// verdictsOf returns what staff can decide about a deliverable now.
func verdictsOf(s *tasks.Sheet) pages.Verdicts {
	can := len(s.Versions) > 0 || s.Task.Kind == tasks.Form && s.State != tasks.Open
	return pages.Verdicts{Look: map[bool]string{true: "primary"}[s.State == tasks.Done],
		Approve: can && s.State != tasks.Approved && s.State != tasks.Waived,
		Ask:     can && s.State != tasks.Waived,
		Waive:   s.State != tasks.Approved && s.State != tasks.Waived,
		Reopen:  s.State != tasks.Open && s.State != tasks.Changes,
		Done:    !s.Task.Kind.HasVersions() && s.IsMissing(),
	}
}

// verdictTexts are the notices after a verdict.
var verdictTexts = map[tasks.Verdict]string{tasks.Approve: "It is approved.",
	tasks.Ask: "Changes are asked for. Its people are mailed what you wrote.", tasks.Waive: "It is waived.",
	tasks.Reopen: "It is open again.", tasks.Tell: "It is marked as done."}

// latest returns the id of the latest version, "" for none.
func latest(s *tasks.Sheet) string {
	if last := s.Latest(); last != nil {
		return last.ID
	}
	return ""
}

func decide(v *visit.Visit, s *tasks.Sheet) error {
	typed := pages.Typed{Verdict: v.Value("verdict"), Words: v.Value("words")}
	verdict := tasks.Verdict(typed.Verdict)
	err := v.TasksOf().Decide(v.UserContext(), s.TaskID, s.OwnerID(), verdict, typed.Words, new(v.Value("seen")))
	if store.KindOf(err) == store.Stale {
		now, missing := deliverable(v)
		if missing != nil {
			return missing
		}
		v.WarnNow(err.Error())
		return sheetPage(v, http.StatusConflict, now, typed)
	}
	return afterwards(v, s, err, verdictTexts[verdict], typed)
}

// afterwards leads back to a deliverable, or shows it with the faults and what was typed.
func afterwards(v *visit.Visit, s *tasks.Sheet, err error, text string, typed pages.Typed) error {
	if err != nil {
		return v.Again(err, func(status int) error {
			for i, fault := range v.Faults { // faults that belong to no field of the form
				if fault.Field == "task" || fault.Field == "verdict" {
					v.Faults[i] = components.Fault{Message: "It " + fault.Message}
				}
			}
			return sheetPage(v, status, s, typed)
		})
	}
	return v.See(v.TaskAt(s.Deliverable), text)
}

func extend(v *visit.Visit, s *tasks.Sheet) error {
	due, err := page.SentClock("due_at", v.Clock("due_at"), v.Zone())
	if err == nil {
		err = v.TasksOf().Extend(v.UserContext(), s.TaskID, s.OwnerID(), due.Value)
	}
	text := "It is due when it is for everybody again."
	if due.Value != nil {
		text = "For them it is due on " + v.TaskClock(*due.Value) + "."
	}
	return afterwards(v, s, err, text, pages.Typed{})
}

func comment(v *visit.Visit, s *tasks.Sheet) error {
	text := v.Value("text")
	err := v.TasksOf().Comment(v.UserContext(), s.TaskID, s.OwnerID(), text)
	if err != nil {
		return afterwards(v, s, err, "", pages.Typed{Text: text})
	}
	return v.See(v.TaskAt(s.Deliverable)+"#conversation", "Your comment is kept, and its people are mailed it.")
}

func uploadInStead(v *visit.Visit, s *tasks.Sheet) error {
	u, err := v.Upload("file")
	if err == nil {
		err = v.TasksOf().Upload(v.UserContext(), s.TaskID, s.OwnerID(), u)
	}
	return afterwards(v, s, err, "“"+visit.Cut(u.Name)+"” is kept as the latest version.", pages.Typed{})
}

func linkInStead(v *visit.Visit, s *tasks.Sheet) error {
	url := v.Value("url")
	err := v.TasksOf().Link(v.UserContext(), s.TaskID, s.OwnerID(), url)
	return afterwards(v, s, err, "The link is kept as the latest version.", pages.Typed{URL: url})
}

// makeLatest makes an earlier version the latest again.
func makeLatest(v *visit.Visit, s *tasks.Sheet) error {
	err := v.TasksOf().MakeLatest(v.UserContext(), s.TaskID, s.OwnerID(), v.Value("version"))
	return afterwards(v, s, err, "That version counts again, and is to be checked.", pages.Typed{})
}

// previewVersion shows a picture or a PDF on its deliverable's page.
func previewVersion(v *visit.Visit) error {
	f, err := v.TasksOf().File(v.UserContext(), v.Params("task"), v.Params("owner"), v.Params("version"))
	if err != nil {
		return err
	}
	return page.SendPreview(v.UserContext(), v.Ctx, v.Store, f)
}

// downloadVersion sends the file of a version to save; it is never shown.
func downloadVersion(v *visit.Visit) error {
	return v.SaveFile(v.TasksOf().File(v.UserContext(), v.Params("task"), v.Params("owner"), v.Params("version")))
}
