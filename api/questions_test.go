package api_test

import (
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
)

func TestQuestionsOfTheCallAreReadButNoneOfEachSpeaker(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		read := func() []object { return d.do(t, "GET", d.path("/questions"), nil).want(200).results() }
		wantEqual(t, read(), []object{}) // there is no call
		ask := func(p *models.Programme, in call.QuestionInput) *call.Question {
			cfp := call.Of(p)
			part := modelstest.Must(cfp.Form(t.Context()))(t).Parts[0].ID
			in.SeenBy = call.Reviewers
			return modelstest.Must(cfp.AddQuestion(t.Context(), part, in))(t)
		}
		for _, p := range []*models.Programme{d.Programme(), d.Elsewhere()} {
			modelstest.Fine(t, call.Of(p).Start(t.Context()))
		}
		ask(d.Elsewhere(), call.QuestionInput{Key: "leak", Type: field.Text, Label: "Leak", Required: call.Optional})
		ask(d.Programme(), call.QuestionInput{Key: "size", Type: field.Text, Label: "T-shirt", AskedOf: call.OfSpeaker,
			Required: call.Optional})
		ask(d.Programme(), call.QuestionInput{Key: "room", Type: field.Choice, Label: "Which room?", Help: "Large or small.",
			Options: []call.Choice{{Value: "Large"}, {Value: "Small"}}, Required: call.Later})
		gone := ask(d.Programme(), call.QuestionInput{Key: "gone", Type: field.Text, Label: "Gone", Required: call.Required})
		modelstest.Fine(t, call.Of(d.Programme()).RemoveQuestion(t.Context(), gone.ID))
		wantEqual(t, read(), []object{{"key": "room", "label": "Which room?", "help": "Large or small.", "type": "choice",
			"options": []any{"Large", "Small"}, "required": "later"},
			{"key": "have_you_given_this_talk_before", "label": "Have you given this talk before?",
				"help": "Where and when. A first time is welcome.", "type": "text", "options": []any{}, "required": "no"}})
	})
}
