package store

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Secure records a change that matters to the service's security: in the activity with the change itself, and in the
// security log once that is committed. The kind of the event supplies the activity's subject and action; eventID is nil
// for what belongs to no event.
func (tx *Tx) Secure(organizationID string, eventID *string, by By, event SecurityEvent, a Change) error {
	kind := kindOfEvent(event)
	a.Subject, a.Action = kind.subject, kind.action
	line, err := a.ActivityRow(organizationID, eventID, by, tx.Now)
	if err != nil {
		return err
	}
	line.Address = by.Address
	facts := map[string]any{}
	if event == SettingsChanged { // texts of any length and public addresses: the fields' names say enough
		facts["changed"] = strings.Join(slices.Sorted(maps.Keys(loggable(a.After))), ", ")
	} else {
		facts = loggable(a.After)
		for name, value := range loggable(a.Before) {
			facts["was_"+name] = value
		}
	}
	tx.AfterCommit(func() { tx.Store.logSecurity(event, by, a.ID, facts) })
	return tx.Create(line).Error
}

// WithBy returns a context whose operations know by which door and from where they are called. Who acts, the operation
// knows itself.
func WithBy(ctx context.Context, by By) context.Context { return context.WithValue(ctx, byKey{}, by) }

type byKey struct{}

// ByIn returns what WithBy put into ctx, or the admin as door.
func ByIn(ctx context.Context) By {
	if by, ok := ctx.Value(byKey{}).(By); ok {
		return by
	}
	return By{Door: "admin"}
}

// Incident is an event about a sign-in or a key that changed nothing.
type Incident struct {
	Event          SecurityEvent
	By             By
	OrganizationID string         // "" means that of the installation
	SubjectID      string         // the user or key that it is about; "" means the actor
	Whose          string         // whose incidents are counted together; "" means the actor, or else the address
	Facts          map[string]any // what was refused, in a few words; never a full e-mail address
}

// Note records an incident in the log and, when KeepAccess runs next, in the activity. It does not ask the database, so
// it delays no request, and its duration does not reveal whether an account exists.
func (s *Store) Note(i Incident) {
	whose := cmp.Or(i.Whose, i.By.ActorID, i.By.Address)
	i.SubjectID = cmp.Or(i.SubjectID, i.By.ActorID)
	logged, kept, heldBack := s.bounds.admit(i.Event, fmt.Sprint(whose, i.Facts["of"]), s.Options.Now())
	if !logged {
		return
	}
	facts := maps.Clone(i.Facts)
	if heldBack > 0 {
		if facts == nil {
			facts = map[string]any{}
		}
		facts["held_back"] = heldBack
	}
	s.logSecurity(i.Event, i.By, i.SubjectID, facts)
	if kept {
		kind := kindOfEvent(i.Event)
		told := Change{Subject: kind.subject, ID: i.SubjectID, Action: kind.action, After: i.Facts}
		line, err := told.ActivityRow(i.OrganizationID, nil, i.By, s.Now())
		if err == nil {
			line.Address = i.By.Address
			s.access.note(line)
		}
	}
}

// NoteRefusal records why somebody was refused, if err is what a wrong guess gets or says that there were too many. Any
// other error is no incident.
func (s *Store) NoteRefusal(err error, i Incident) {
	switch KindOf(err) {
	case TooMany:
		facts := map[string]any{"of": i.Event}
		maps.Copy(facts, i.Facts)
		i.Event, i.Facts = Throttled, facts
	case Unauthorized, Invalid:
	default:
		return
	}
	s.Note(i)
}

// logSecurity writes one line of the log: a constant message, and who and what as attributes.
func (s *Store) logSecurity(event SecurityEvent, by By, subjectID string, facts map[string]any) {
	attributes := []slog.Attr{
		slog.String("event", string(event)), slog.String("door", by.Door), slog.String("actor_id", by.ActorID),
		slog.String("subject_id", subjectID), slog.String("address", by.Address), slog.String("request_id", by.RequestID),
	}
	attributes = slices.DeleteFunc(attributes, func(a slog.Attr) bool { return a.Value.String() == "" })
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		attributes = append(attributes, slog.Any(name, facts[name]))
	}
	log := s.Options.Log
	if log == nil {
		log = slog.Default()
	}
	log.LogAttrs(context.Background(), kindOfEvent(event).level, "security", attributes...)
}

// loggable returns the facts of a change, with e-mail addresses masked.
func loggable(facts any) map[string]any {
	known, _ := facts.(map[string]any)
	out := map[string]any{}
	for name, value := range known {
		switch value := value.(type) {
		case string:
			if name == "email" {
				name, value = "account", Masked(value)
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

// Masked returns what may be logged of an e-mail address that belongs to no account, such as a…@e…; "" for what is no
// address, because people type passwords into that field.
func Masked(email string) string {
	name, host, found := strings.Cut(email, "@")
	if !found || !IsEmail(email) {
		return ""
	}
	first := func(s string) string {
		r, _ := utf8.DecodeRuneInString(s)
		return string(r) + "…"
	}
	return first(name) + "@" + first(host)
}
