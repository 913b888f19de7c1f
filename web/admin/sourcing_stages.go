package admin

import (
	"context"
	"net/http"
	"strconv"

	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

const stagesPath = contactsPath + "/stages"

// stageKindOptions are what a stage can mean.
func stageKindOptions(chosen people.StageKind) []components.Option {
	return choices(people.StageKinds, func(k people.StageKind) (string, string) {
		return string(k),
			pages.StageKindNames[k]
	},
		string(chosen))
}

func (v *visit) stageForm() people.StageInput {
	return people.StageInput{Name: v.Value("name"), Kind: people.StageKind(v.Value("kind"))}
}

func listStages(v *visit) error { return v.stagesPage(http.StatusOK, people.StageInput{}) }

// stagesPage are the stages; in is a new one as it was typed.
func (v *visit) stagesPage(status int, in people.StageInput) error {
	v.section = contactsPath
	d := v.directory()
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
		p.Rows = append(p.Rows, pages.StageRow{ID: s.ID, Name: s.Name, Kind: s.Kind, Cards: number(counts[s.ID])})
	}
	return show(v, status, "Stages of sourcing", pages.Stages, p)
}

func addStage(v *visit) error {
	in, d := v.stageForm(), v.directory()
	err := v.Once(func(ctx context.Context) (string, error) {
		_, err := people.In(d).AddStage(ctx, in)
		return stagesPath, err
	})
	if err != nil {
		return v.Again(err, func(status int) error { return v.stagesPage(status, in) })
	}
	return v.See(stagesPath, "“"+cut(in.Name)+"” is added.")
}

// stage is the one of the address.
func stage(v *visit) (*people.Stage, error) {
	stages, err := people.In(v.directory()).Stages(v.UserContext())
	return oneOf(stages, err, v.Params("stage"), func(s *people.Stage) string { return s.ID },
		"There is no such stage. It may have been removed.")
}

func stageEditForm(v *visit, s *people.Stage) error {
	return v.stageEditor(http.StatusOK, s, people.StageInput{Name: s.Name, Kind: s.Kind}, nil)
}

func (v *visit) stageEditor(status int, s *people.Stage, in people.StageInput, c *components.Conflict) error {
	v.section = contactsPath
	p := pages.StagePage{Action: stagesPath + "/" + s.ID, Cancel: stagesPath, Name: in.Name, UpdatedAt: s.UpdatedAt.String(),
		Kinds: stageKindOptions(in.Kind), Conflict: c,
		First: []components.Hidden{{Name: "name", Value: s.Name}, {Name: "kind", Value: string(s.Kind)}}}
	return show(v, status, "Stage "+s.Name, pages.Stage, p)
}

func changeStage(v *visit, s *people.Stage) error {
	in := v.stageForm()
	token, _ := store.ParseTime(v.Value("updated_at")) // none is as good as an old one
	_, err := people.In(v.directory()).ChangeStage(v.UserContext(), s.ID, in, &token)
	if store.KindOf(err) == store.Stale {
		c, err := v.conflict(s.ID, s.UpdatedAt, []page.Edited{
			{Name: "name", Label: "Name", Was: v.FirstValue("name"), Mine: in.Name, Theirs: s.Name},
			{Name: "kind", Label: "Means", Was: v.FirstValue("kind"), Mine: string(in.Kind), Theirs: string(s.Kind),
				Show: func(kind string) string { return pages.StageKindNames[people.StageKind(kind)] }}})
		if err != nil {
			return err
		}
		c.Action, c.Discard = stagesPath+"/"+s.ID, stagesPath+"/"+s.ID
		return v.stageEditor(http.StatusConflict, s, in, c)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.stageEditor(status, s, in, nil) })
	}
	return v.See(stagesPath, "“"+cut(in.Name)+"” is saved.")
}

// moveStage puts a stage one place up or down.
func moveStage(v *visit, s *people.Stage) error {
	to, err := strconv.Atoi(v.Value("position"))
	if err != nil {
		to = s.Position
	}
	return v.Done(people.In(v.directory()).MoveStage(v.UserContext(), s.ID, to), stagesPath+"#row-"+s.ID,
		"“"+cut(s.Name)+"” has another place.")
}

func askRemoveStage(v *visit, s *people.Stage) error { return v.removeStagePage(http.StatusOK, s, "") }

func (v *visit) removeStagePage(status int, s *people.Stage, into string) error {
	v.section = contactsPath
	d := v.directory()
	counts, err := people.In(d).StageCounts(v.UserContext())
	if err != nil {
		return err
	}
	stages, err := people.In(d).Stages(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.RemoveStagePage{ConfirmPage: pages.ConfirmPage{Action: stagesPath + "/" + s.ID + "/delete",
		Verb: "Remove the stage", Cancel: stagesPath, Last: "Moves that were made keep its name."}}
	if n := counts[s.ID]; n > 0 {
		p.Cards = counted(n, "card", "cards")
	}
	for _, other := range stages {
		if other.ID != s.ID {
			p.Others = append(p.Others, components.Option{Value: other.ID, Name: other.Name, Chosen: other.ID == into})
		}
	}
	return show(v, status, "Remove the stage “"+s.Name+"”?", pages.RemoveStage, p)
}

func removeStage(v *visit, s *people.Stage) error {
	into := v.Value("into")
	cards, err := people.In(v.directory()).RemoveStage(v.UserContext(), s.ID, into)
	if err != nil {
		return v.Again(err, func(status int) error { return v.removeStagePage(status, s, into) })
	}
	text := "“" + cut(s.Name) + "” is removed."
	if cards > 0 {
		text += " " + counted(int64(cards), "card went", "cards went") + " where you said."
	}
	return v.See(stagesPath, text)
}
