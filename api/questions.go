package api

import (
	"context"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

type listQuestionsInput struct {
	InEvent
	Paging
}

// QuestionRow is a question of the call for papers that is answered in the custom_fields of submissions.
type QuestionRow struct {
	Key      string     `json:"key" doc:"The key of its answers in custom_fields, which never changes"`
	Label    string     `json:"label"`
	Help     string     `json:"help"`
	Type     field.Type `json:"type" enum:"text,long_text,choice,choices,number,date,url,email,yes_no,file"`
	Options  []string   `json:"options" nullable:"false" doc:"What may be chosen; empty where the type has no choice"`
	Required call.Need  `json:"required" enum:"no,yes,later" doc:"When it has to be answered: yes before the speaker can submit, later once it is accepted"`
}

// listQuestions returns the call's questions about a proposal, without title, text and the like. Its questions about
// speakers are never part of the API. An event without a call has none.
func (a *API) listQuestions(ctx context.Context, who *caller, in *listQuestionsInput) (*list[QuestionRow], error) {
	rows := []QuestionRow{}
	form, err := call.Of(who.Programme).Form(ctx)
	if store.KindOf(err) == store.NotFound {
		return pageOf(rows, in.page()), nil
	}
	if err != nil {
		return nil, err
	}
	for _, part := range form.Of(call.OfProposal).Parts {
		for _, q := range part.Questions {
			if q.Standard != "" {
				continue
			}
			row := QuestionRow{q.Key, q.Label, q.Help, q.Type, []string{}, q.Required}
			for _, option := range q.Options {
				row.Options = append(row.Options, option.Value)
			}
			rows = append(rows, row)
		}
	}
	return pageOf(rows, in.page()), nil
}
