package models

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// secure records a change that matters to who guards the service: in the activity
// with the change itself, and in the log once that is committed. The event says
// what the activity is called; eventID is nil for what belongs to no event.
func (tx *Tx) secure(organizationID string, eventID *string, by By, event SecurityEvent, a activity) error {
	kind := kindOfEvent(event)
	a.subject, a.action = kind.subject, kind.action
	line, err := a.line(organizationID, eventID, by, tx.now)
	if err != nil {
		return err
	}
	line.Address = by.Address
	facts := loggable(a.after)
	for name, value := range loggable(a.before) {
		facts["was_"+name] = value
	}
	tx.AfterCommit(func() { tx.store.logSecurity(event, by, a.id, facts) })
	return tx.Create(line).Error
}

// WithBy returns a context whose operations know through which door they are called
// and from where. The one who acts is known to the operation itself.
func WithBy(ctx context.Context, by By) context.Context { return context.WithValue(ctx, byKey{}, by) }

type byKey struct{}

// byIn is what WithBy put into ctx, or the admin.
func byIn(ctx context.Context) By {
	if by, ok := ctx.Value(byKey{}).(By); ok {
		return by
	}
	return By{Door: "admin"}
}

// incident is something that happened to a sign-in or a key and changed nothing.
type incident struct {
	event          SecurityEvent
	by             By
	organizationID string         // "" is that of the installation
	subjectID      string         // the user or key it is about, "" for nobody known
	whose          string         // what is held within bounds; the actor, or else the address, when ""
	facts          map[string]any // never an address of mail in full
}

// note records an incident in the log and, when KeepSeen comes by, in the activity.
// It asks the database nothing, so it can stand in the way of no request, and
// tells nobody by its time whether an account exists.
func (s *Ground) note(i incident) {
	if i.whose == "" {
		i.whose = i.by.ActorID
	}
	if i.whose == "" {
		i.whose = i.by.Address
	}
	logged, kept, heldBack := s.bounds.admit(i.event, fmt.Sprint(i.whose, i.facts["of"]), s.options.Now())
	if !logged {
		return
	}
	facts := maps.Clone(i.facts)
	if heldBack > 0 {
		if facts == nil {
			facts = map[string]any{}
		}
		facts["held_back"] = heldBack
	}
	s.logSecurity(i.event, i.by, i.subjectID, facts)
	if kept {
		kind := kindOfEvent(i.event)
		told := activity{subject: kind.subject, id: i.subjectID, action: kind.action, after: i.facts}
		line, err := told.line(i.organizationID, nil, i.by, s.now())
		if err == nil {
			line.Address = i.by.Address
			s.access.note(line)
		}
	}
}

// Note records that a door refused somebody, or let them try in vain; facts say
// what, in a few words and without any address of mail. organizationID is "" when
// nothing is known of who it was.
func (s *Ground) Note(organizationID string, by By, event SecurityEvent, facts map[string]any) {
	s.note(incident{event: event, by: by, organizationID: organizationID, subjectID: by.ActorID, facts: facts})
}

// noteRefusal records why somebody was refused: err is of a kind that a guess gets,
// or says that there were too many. Any other error is no incident.
func (s *Ground) noteRefusal(err error, i incident) {
	switch KindOf(err) {
	case TooMany:
		facts := map[string]any{"of": i.event}
		maps.Copy(facts, i.facts)
		i.event, i.facts = Throttled, facts
	case Unauthorized, Invalid:
	default:
		return
	}
	s.note(i)
}

// logSecurity writes one line: always the same message, and what names who.
func (s *Ground) logSecurity(event SecurityEvent, by By, subjectID string, facts map[string]any) {
	attributes := []slog.Attr{
		slog.String("event", string(event)), slog.String("door", by.Door), slog.String("actor_id", by.ActorID),
		slog.String("subject_id", subjectID), slog.String("address", by.Address), slog.String("request_id", by.RequestID),
	}
	attributes = slices.DeleteFunc(attributes, func(a slog.Attr) bool { return a.Value.String() == "" })
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		attributes = append(attributes, slog.Any(name, facts[name]))
	}
	log := s.options.Log
	if log == nil {
		log = slog.Default()
	}
	log.LogAttrs(context.Background(), kindOfEvent(event).level, "security", attributes...)
}

// loggable are the facts of a change without any address of mail in full.
func loggable(facts any) map[string]any {
	known, _ := facts.(map[string]any)
	out := map[string]any{}
	for name, value := range known {
		switch value := value.(type) {
		case string:
			if name == "email" {
				name, value = "account", masked(value)
			}
			out[name] = value
		default:
			if of := reflect.ValueOf(value); of.Kind() != reflect.Map || of.Len() > 0 {
				out[name] = value
			}
		}
	}
	return out
}

// masked is what may be told of an address of mail that is nobody's: a…@e…. People
// type passwords where the address belongs, so what is no address is nothing.
func masked(email string) string {
	name, host, found := strings.Cut(email, "@")
	if !found || !isEmail(email) {
		return ""
	}
	first := func(s string) string {
		r, _ := utf8.DecodeRuneInString(s)
		return string(r) + "…"
	}
	return first(name) + "@" + first(host)
}
