package people

import (
	"context"
	"net/http"
	"strconv"

	"lectern/models/people"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const stagesPath = visit.ContactsPath + "/stages"

// stageKindOptions returns the kinds of stages as options.
func stageKindOptions(chosen people.StageKind) []components.Option {
	return visit.Choices(people.StageKinds,
		func(k people.StageKind) (string, string) { return string(k), pages.StageKindNames[k] }, string(chosen))
}

func stageForm(v *visit.Visit) people.StageInput {
	return people.StageInput{Name: v.Value("name"), Kind: people.StageKind(v.Value("kind"))}
}

func listStages(v *visit.Visit) error { return stagesPage(v, http.StatusOK, people.StageInput{}) }

// stagesPage shows the stages; in is a new one that was refused.
func stagesPage(v *visit.Visit, status int, in people.StageInput) error {
	v.Section = visit.ContactsPath
	d := v.Directory()
	stages, err := people.In(d).Stages(v.UserContext())
	if err != nil {
		return err
	}
	counts, err := people.In(d).StageCounts(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.StagesPage{Base: stagesPath, Name: in.Name, Kinds: stageKindOptions(in.Kind),
		Full: len(stages) >= people.MaxStages}
	for _, s := range stages {
		p.Rows = append(p.Rows, pages.StageRow{ID: s.ID, Name: s.Name, Kind: s.Kind, Cards: visit.Number(counts[s.ID])})
	}
	return visit.Show(v, status, "Stages of sourcing", pages.Stages, p)
}

func addStage(v *visit.Visit) error {
	in, d := stageForm(v), v.Directory()
	err := v.Once(func(ctx context.Context) (string, error) {
		_, err := people.In(d).AddStage(ctx, in)
		return stagesPath, err
	})
	return v.DoneOrAgain(err, stagesPath, "“"+visit.Cut(in.Name)+"” is added.",
		func(status int) error { return stagesPage(v, status, in) })
}

// stage reads the stage of the path.
func stage(v *visit.Visit) (*people.Stage, error) {
	stages, err := people.In(v.Directory()).Stages(v.UserContext())
	return visit.OneOf(stages, err, v.Params("stage"), func(s *people.Stage) string { return s.ID },
		"There is no such stage. It may have been removed.")
}

// stageFields are the fields of the form of a stage.
func stageFields(s *people.Stage) []page.Edited {
	return []page.Edited{{Name: "name", Label: "Name", Theirs: s.Name}, {Name: "kind", Label: "Means", Theirs: string(s.Kind),
		Show: func(kind string) string { return pages.StageKindNames[people.StageKind(kind)] }}}
}

func stageEditForm(v *visit.Visit, s *people.Stage) error {
	return stageEditor(v, http.StatusOK, s, page.Opened(s.UpdatedAt, stageFields(s)))
}

func stageEditor(v *visit.Visit, status int, s *people.Stage, e *page.Edit) error {
	v.Section = visit.ContactsPath
	return visit.Show(v, status, "Stage "+s.Name, pages.Stage, pages.StagePage{Edit: e.Shown(),
		Action: stagesPath + "/" + s.ID, Cancel: stagesPath, Kinds: stageKindOptions(people.StageKind(e.Of("kind")))})
}

func changeStage(v *visit.Visit, s *people.Stage) error {
	in, e := stageForm(v), v.Sent(s.UpdatedAt, stageFields(s))
	if _, err := people.In(v.Directory()).ChangeStage(v.UserContext(), s.ID, in, e.Token); err != nil {
		return v.Unsaved(err, e, s.ID, stagesPath+"/"+s.ID, func(status int) error { return stageEditor(v, status, s, e) })
	}
	return v.See(stagesPath, "“"+visit.Cut(in.Name)+"” is saved.")
}

// moveStage moves a stage up or down by one.
func moveStage(v *visit.Visit, s *people.Stage) error {
	to, err := strconv.Atoi(v.Value("position"))
	if err != nil {
		to = s.Position
	}
	return v.Done(people.In(v.Directory()).MoveStage(v.UserContext(), s.ID, to), stagesPath+"#row-"+s.ID,
		"“"+visit.Cut(s.Name)+"” has another place.")
}

func askRemoveStage(v *visit.Visit, s *people.Stage) error {
	return removeStagePage(v, http.StatusOK, s, "")
}

func removeStagePage(v *visit.Visit, status int, s *people.Stage, into string) error {
	v.Section = visit.ContactsPath
	d := v.Directory()
	counts, err := people.In(d).StageCounts(v.UserContext())
	if err != nil {
		return err
	}
	stages, err := people.In(d).Stages(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.RemoveStagePage{ConfirmPage: layouts.ConfirmPage{Action: stagesPath + "/" + s.ID + "/delete",
		Verb: "Remove the stage", Cancel: stagesPath, Last: "Moves that were made keep its name."}}
	p.Cards = visit.SomeOf(counts[s.ID], "card", "cards")
	for _, other := range stages {
		if other.ID != s.ID {
			p.Others = append(p.Others, components.Option{Value: other.ID, Name: other.Name, Chosen: other.ID == into})
		}
	}
	return visit.Show(v, status, "Remove the stage “"+s.Name+"”?", pages.RemoveStage, p)
}

func removeStage(v *visit.Visit, s *people.Stage) error {
	into := v.Value("into")
	cards, err := people.In(v.Directory()).RemoveStage(v.UserContext(), s.ID, into)
	if err != nil {
		return v.Again(err, func(status int) error { return removeStagePage(v, status, s, into) })
	}
	text := "“" + visit.Cut(s.Name) + "” is removed."
	if cards > 0 {
		text += " " + visit.Counted(int64(cards), "card went", "cards went") + " where you said."
	}
	return v.See(stagesPath, text)
}
