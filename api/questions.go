package api

import (
	"context"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/models/tasks"
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

type listTasksInput struct {
	InEvent
	Paging
}

func (a *API) listTasks(ctx context.Context, who *caller, in *listTasksInput) (*list[*tasks.Task], error) {
	all, err := tasks.Of(who.Programme).All(ctx)
	return pageOf(all, in.page()), err
}

type listDeliverablesInput struct {
	InEvent
	Paging
	Task    string `query:"task" doc:"Of one task, by its id"`
	Session string `query:"session" doc:"Of one session, by its id or label: tasks of the session"`
	Contact string `query:"contact" doc:"Of one person, by the contact's id: their own and those of their sessions"`
	State   string `query:"state" enum:"open,done,changes,approved,waived" doc:"In one state"`
	Late    bool   `query:"late" doc:"true = those alone that are missing although they were due"`
}

func (a *API) listDeliverables(ctx context.Context, who *caller, in *listDeliverablesInput) (*list[*tasks.Delivery], error) {
	session, err := who.SessionID(ctx, in.Session)
	if err == nil && session != "" { // else an unknown session would look like one without tasks
		_, err = who.Session(ctx, session)
	}
	if err != nil {
		return nil, err
	}
	all, pagination, err := tasks.Of(who.Programme).Deliveries(ctx, tasks.DeliverySearch{TaskID: in.Task, SessionID: session,
		ContactID: in.Contact, State: tasks.State(in.State), IsLate: in.Late}, in.page(), a.options.BaseURL)
	return &list[*tasks.Delivery]{all, pagination}, err
}
