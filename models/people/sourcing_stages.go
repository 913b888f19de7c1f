package people

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"lectern/models/store"
)

// Stage is a column of the sourcing boards of an organization's events: how far it is with somebody it would like to
// have.
type Stage struct {
	ID             string
	OrganizationID string
	Name           string
	Kind           StageKind
	Position       int // from 0
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// TableName returns the name of the table of stages.
func (Stage) TableName() string { return "sourcing_stages" }

// StageKind is what a stage means.
type StageKind string

const (
	StageOpen StageKind = "open"
	StageWon  StageKind = "won" // people on it can be invited
	StageLost StageKind = "lost"
)

// StageKinds lists all kinds in the order in which a board has them.
var StageKinds = []StageKind{StageOpen, StageWon, StageLost}

// MaxStages limits the stages of an organization.
const MaxStages = 12

// usualStages are the stages of an organization that has not changed them.
var usualStages = []struct {
	name string
	kind StageKind
}{{"Idea", StageOpen}, {"Contacted", StageOpen}, {"In talks", StageOpen}, {"Won", StageWon}, {"Lost", StageLost}}

// usual returns the stages of an organization that has none stored yet. Their ids and tokens are always the same.
func (d *Directory) usual() (stages []*Stage) {
	since := store.At(time.Unix(0, 0))
	for i, s := range usualStages {
		stages = append(stages, &Stage{ID: uuid.NewSHA1(uuid.Nil, []byte(d.ID+" "+s.name)).String(), OrganizationID: d.ID,
			Name: s.name, Kind: s.kind, Position: i, CreatedAt: since, UpdatedAt: since})
	}
	return stages
}

// Stages returns the stages of the organization in their order.
func (d *Directory) Stages(ctx context.Context) ([]*Stage, error) {
	stages, err := d.stages(d.Read(ctx))
	if err == nil && len(stages) == 0 {
		stages = d.usual()
	}
	return stages, err
}

func (d *Directory) stages(db *gorm.DB) (all []*Stage, err error) {
	return all, db.Where("organization_id = ?", d.ID).Order("position, id").Find(&all).Error
}

// boardsLock is the first key of the advisory locks on organizations' sourcing boards.
const boardsLock = 7201938

// ownBoards locks the organization's stages and cards, so that all changes of them wait for each other.
func (d *Directory) ownBoards(tx *store.Tx) error { return OwnBoards(tx, d.ID) }

// OwnBoards is ownBoards for any organization.
func OwnBoards(tx *store.Tx, organizationID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", boardsLock, organizationID).Error
}

// heldStages locks the boards and returns the stages. It stores the usual ones if none are stored yet.
func (d *Directory) heldStages(tx *store.Tx) ([]*Stage, error) {
	if err := d.ownBoards(tx); err != nil {
		return nil, err
	}
	stages, err := d.stages(tx.DB)
	if err != nil || len(stages) > 0 {
		return stages, err
	}
	stages = d.usual()
	return stages, tx.Create(stages).Error
}

// StageInput holds the fields of a stage to be created or changed.
type StageInput struct {
	Name string
	Kind StageKind
}

// clean checks an input for the stage with an id among the given stages. It answers Invalid.
func (in *StageInput) clean(id string, stages []*Stage) error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &in.Name, maxStageName)
	if !slices.Contains(StageKinds, in.Kind) {
		f.Add(store.Invalidf("kind", "must be open, won or lost"))
	}
	key := store.Searchable(in.Name)
	if slices.ContainsFunc(stages, func(s *Stage) bool { return s.ID != id && store.Searchable(s.Name) == key }) {
		f.Add(store.Invalidf("name", "is what another stage is called"))
	}
	return f.Err()
}

const maxStageName = 60

var (
	errNoStage    = store.Missing("There is no such stage. It may have been removed.")
	errStaleStage = store.Outdated("Someone else changed this stage since you read it. Read it again, then repeat your change.")
)

func stageIn(stages []*Stage, id string) (*Stage, error) {
	if i := slices.IndexFunc(stages, func(s *Stage) bool { return s.ID == id }); i >= 0 {
		return stages[i], nil
	}
	return nil, errNoStage
}

// wantKinds answers Invalid unless one of the stages is open and one is won.
func wantKinds(field string, stages []*Stage) error {
	for _, kind := range []StageKind{StageOpen, StageWon} {
		if !slices.ContainsFunc(stages, func(s *Stage) bool { return s.Kind == kind }) {
			return store.Invalidf(field, "must leave a stage that is %s", kind)
		}
	}
	return nil
}

func (s *Stage) facts() map[string]any { return map[string]any{"name": s.Name, "kind": string(s.Kind)} }

// renumber stores the order of stages.
func renumber(tx *store.Tx, stages []*Stage) error {
	for i, s := range stages {
		if s.Position == i {
			continue
		}
		s.Position = i
		if err := tx.Model(&Stage{}).Where("id = ?", s.ID).UpdateColumn("position", i).Error; err != nil {
			return err
		}
	}
	return nil
}

// AddStage adds a stage after the last of its kind. It answers Invalid for what breaks a rule, for the name of another
// stage, and beyond MaxStages. Like all of sourcing it emits nothing.
func (d *Directory) AddStage(ctx context.Context, in StageInput) (*Stage, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Stage, error) {
		stages, err := d.heldStages(tx)
		if err != nil {
			return nil, err
		}
		if err := in.clean("", stages); err != nil {
			return nil, err
		}
		if len(stages) >= MaxStages {
			return nil, store.Invalidf("name", "is one too many; remove one of the %d stages first", MaxStages)
		}
		at := len(stages)
		for i, s := range stages {
			if slices.Index(StageKinds, s.Kind) <= slices.Index(StageKinds, in.Kind) {
				at = i + 1
			}
		}
		s := &Stage{ID: store.NewID(), OrganizationID: d.ID, Name: in.Name, Kind: in.Kind, Position: at, CreatedAt: tx.Now,
			UpdatedAt: tx.Now}
		if err := renumber(tx, slices.Insert(stages, at, s)); err != nil {
			return nil, err
		}
		if err := tx.Create(s).Error; err != nil {
			return nil, err
		}
		return s, d.Record(tx, store.Change{Subject: "stage", ID: s.ID, Action: "created", After: s.facts()})
	})
}

// ChangeStage changes a stage's name or kind; earlier moves keep the old name. It answers NotFound; Invalid as AddStage
// does and if no other stage is open or won; and Stale when the token is outdated; nil forces the write.
func (d *Directory) ChangeStage(ctx context.Context, id string, in StageInput, token *store.Time) (*Stage, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Stage, error) {
		stages, err := d.heldStages(tx)
		if err != nil {
			return nil, err
		}
		s, err := stageIn(stages, id)
		if err != nil {
			return nil, err
		}
		if token != nil && !token.Equal(s.UpdatedAt.Time) {
			return nil, errStaleStage
		}
		if err := in.clean(id, stages); err != nil {
			return nil, err
		}
		before := s.facts()
		s.Name, s.Kind = in.Name, in.Kind
		if err := wantKinds("kind", stages); err != nil {
			return nil, err
		}
		was, is := store.Changes(before, s.facts())
		if len(is) == 0 {
			return s, nil
		}
		s.UpdatedAt = tx.Now.Following(s.UpdatedAt)
		if err := tx.Model(&Stage{}).Where("id = ?", id).Select("name", "kind", "updated_at").Updates(s).Error; err != nil {
			return nil, err
		}
		return s, d.Record(tx, store.Change{Subject: "stage", ID: id, Action: "updated", Before: was, After: is})
	})
}

// MoveStage moves a stage to a position among the others, counted from 0 and limited to the ends. It changes no tokens.
// It answers NotFound.
func (d *Directory) MoveStage(ctx context.Context, id string, position int) error {
	return d.Write(ctx, func(tx *store.Tx) error {
		stages, err := d.heldStages(tx)
		if err != nil {
			return err
		}
		s, err := stageIn(stages, id)
		if err != nil {
			return err
		}
		from, to := s.Position, min(max(position, 0), len(stages)-1)
		if from == to {
			return nil
		}
		stages = slices.DeleteFunc(stages, func(other *Stage) bool { return other == s })
		if err := renumber(tx, slices.Insert(stages, to, s)); err != nil {
			return err
		}
		return d.Record(tx, store.Change{Subject: "stage", ID: id, Action: "moved",
			Before: map[string]any{"order": from}, After: map[string]any{"order": to}})
	})
}

// RemoveStage removes a stage. Its cards, of all events, go to the end of the stage into, in their order. It returns
// how many cards there were. It answers NotFound, and Invalid if there are cards and into is no other stage, and if no
// other stage is open or won.
func (d *Directory) RemoveStage(ctx context.Context, id, into string) (cards int, err error) {
	err = d.Write(ctx, func(tx *store.Tx) error {
		stages, err := d.heldStages(tx)
		if err != nil {
			return err
		}
		s, err := stageIn(stages, id)
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(stages), func(other *Stage) bool { return other == s })
		if err := wantKinds("stage", left); err != nil {
			return err
		}
		if cards, err = d.emptyStage(tx, s, into, left); err != nil {
			return err
		}
		if err := tx.Where("id = ?", id).Delete(&Stage{}).Error; err != nil {
			return err
		}
		if err := renumber(tx, left); err != nil {
			return err
		}
		before := s.facts()
		before["cards"] = cards
		return d.Record(tx, store.Change{Subject: "stage", ID: id, Action: "deleted", Before: before})
	})
	return cards, err
}
