package api_test

import (
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
)

func TestQuestionsOfTheCallAreReadButNoneOfEachSpeaker(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		read := func() []object { return d.do(t, "GET", d.path("/questions"), nil).want(200).results() }
		wantEqual(t, read(), []object{}) // there is no call
		ask := func(p *models.Programme, in cfp.QuestionInput) *cfp.Question {
			call := cfp.Of(p)
			part := modelstest.Must(call.Form(t.Context()))(t).Parts[0].ID
			in.SeenBy = cfp.Reviewers
			return modelstest.Must(call.AddQuestion(t.Context(), part, in))(t)
		}
		for _, p := range []*models.Programme{d.Programme(), d.Elsewhere()} {
			modelstest.Fine(t, cfp.Of(p).Start(t.Context()))
		}
		ask(d.Elsewhere(), cfp.QuestionInput{Key: "leak", Type: field.Text, Label: "Leak", Required: cfp.Optional})
		ask(d.Programme(), cfp.QuestionInput{Key: "size", Type: field.Text, Label: "T-shirt", AskedOf: cfp.OfSpeaker,
			Required: cfp.Optional})
		ask(d.Programme(), cfp.QuestionInput{Key: "room", Type: field.Choice, Label: "Which room?", Help: "Large or small.",
			Options: []cfp.Choice{{Value: "Large"}, {Value: "Small"}}, Required: cfp.Later})
		gone := ask(d.Programme(), cfp.QuestionInput{Key: "gone", Type: field.Text, Label: "Gone", Required: cfp.Required})
		modelstest.Fine(t, cfp.Of(d.Programme()).RemoveQuestion(t.Context(), gone.ID))
		wantEqual(t, read(), []object{{"key": "room", "label": "Which room?", "help": "Large or small.", "type": "choice",
			"options": []any{"Large", "Small"}, "required": "later"},
			{"key": "have_you_given_this_talk_before", "label": "Have you given this talk before?",
				"help": "Where and when. A first time is welcome.", "type": "text", "options": []any{}, "required": "no"}})
	})
}
