package chaos

import "encoding/json"

// item is one operation of a bulk request.
type item struct {
	action string
	r      *record
	kind   string
	c      content
}

func (i item) operation() map[string]any {
	o := map[string]any{"action": i.action}
	if i.action != "create" {
		o["id"] = i.r.id
	}
	if i.action != "delete" {
		fields := i.c.fields()
		if i.action == "create" {
			fields["is_abstract"] = i.r.abstract
		}
		o["data"] = fields
	}
	return o
}

// items are creates of some sessions, changes of others and the end of one.
func (w *writer) items() (items []item) {
	for range 1 + w.random.IntN(4) {
		r := w.newOne()
		items = append(items, item{"create", r, "session.created", r.next(w.status())})
	}
	w.random.Shuffle(len(w.live), func(i, j int) { w.live[i], w.live[j] = w.live[j], w.live[i] })
	for n, r := range w.live[:min(len(w.live), 3)] {
		if n == 0 {
			c := *r.known
			c.Deleted = true
			items = append(items, item{"delete", r, "session.deleted", c})
		} else {
			items = append(items, item{"update", r, "session.updated", r.next(w.status())})
		}
	}
	return items
}

// bulk does several things in one request. Each is a transaction of its own.
func (w *writer) bulk(once string) {
	items := w.items()
	operations := make([]any, len(items))
	for n, i := range items {
		w.sending(i.c.Title)
		operations[n] = i.operation()
	}
	got := w.send("POST", "/sessions/bulk", map[string]any{"operations": operations}, once)
	if o := got.outcome(); o != acknowledged {
		for _, i := range items {
			w.keep(i.r, i.kind, i.c, o)
		}
		return
	}
	var answer struct {
		Results []struct {
			Status, ID string
			Error      struct{ Code, Message string }
		}
	}
	if err := json.Unmarshal(got.body, &answer); err != nil || len(answer.Results) != len(items) {
		w.odd("bulk was answered with another thing: %s", got)
		return
	}
	for n, i := range items {
		result := answer.Results[n]
		i.r.token = ""
		if result.Status == "success" {
			i.r.id = result.ID
		}
		w.keep(i.r, i.kind, i.c, w.outcomeOf(result.Status, result.Error.Code, result.Error.Message))
	}
}

// outcomeOf is what to conclude from an item's result.
func (w *writer) outcomeOf(status, code, message string) outcome {
	switch {
	case status == "success":
		return acknowledged
	case code == "internal_error": // the database went away in the midst of it
		return unheard
	}
	w.odd("an item of a bulk request was answered %q: %s", code, message)
	if code == "" {
		return unheard
	}
	return refused
}
