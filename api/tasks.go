package api

import (
	"context"

	"lectern/models/tasks"
)

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
