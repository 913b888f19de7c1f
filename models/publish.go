package models

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Publishing says how a session is published.
type Publishing struct {
	// Reason overrides the publish gate and is kept in the activity; "" overrides nothing.
	Reason    string
	UpdatedAt *store.Time // the token as it was read; nil forces the write
}

// Publish makes an accepted programme session public, as an update does, and returns it before and after. A session
// that is public already does not change. It emits session.published. It answers NotFound for a row that is not live;
// Invalid for one that is no accepted programme session, and for a reason that is too long; Stale; and GateHeld if the
// gate is closed and not overridden.
func (p *Programme) Publish(ctx context.Context, id string, how Publishing) (before, after *Session, err error) {
	if how.Reason, err = store.CleanText("reason", how.Reason, MaxReason); err != nil {
		return nil, nil, err
	}
	err = p.Write(ctx, func(tx *store.Tx) error {
		if before, err = p.Live(tx, id); err != nil {
			return err
		}
		after = before
		switch {
		case before.IsPublic:
			return nil
		case before.IsAbstract:
			return store.Invalidf("session", "is a submission; publish the session that is made of it")
		case before.Status != Accepted:
			return store.Invalidf("session", "is %s, so it stays unpublished", strings.ReplaceAll(string(before.Status), "_",
				" "))
		case how.UpdatedAt != nil && !how.UpdatedAt.Equal(before.UpdatedAt.Time):
			return errStale
		}
		after = new(*before)
		if err := p.publish(tx, after, how.Reason != ""); err != nil {
			return err
		}
		why := updating
		if how.Reason != "" {
			why = action{name: "published_anyway", details: map[string]any{"reason": how.Reason}}
		}
		return p.commit(tx, why, change{before, after})
	})
	return before, after, err
}

// held answers GateHeld with each reason of a closed gate, and what to do about it.
func (g *PublishGate) held() error {
	held := &store.Error{Kind: store.GateHeld}
	var reasons, remedies []string
	for _, reason := range g.Reasons {
		words := holdWords[reason.Hold]
		reasons, remedies = append(reasons, words.reason), append(remedies, words.remedy)
		held.Fields = append(held.Fields, store.FieldError{Field: "is_public", Message: "is held: " + words.reason})
	}
	held.Message = sentence(strings.Join(reasons, " and ")+", so it stays unpublished") + " " +
		sentence(strings.Join(remedies, " and ")+" first, or repeat the request with publish_override: true")
	return held
}

func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] + "." }

// publish makes a locked session public. It answers GateHeld unless the gate is open or overridden, or the session is
// public already. Publication sorts the sessions of an event by the same rule.
func (p *Programme) publish(tx *store.Tx, s *Session, override bool) error {
	if s.IsPublic || override {
		s.IsPublic = true
		return nil
	}
	sources, err := p.behindSession(tx.Session(&gorm.Session{NewDB: true}), s)
	if err != nil {
		return err
	}
	for _, x := range sources {
		if s.IsAbstract && x.Status != s.Status { // this request changes it, so its letters are to come
			x.Status, x.State = s.Status, ""
		}
	}
	approved, err := p.approved(tx.DB, s)
	if err != nil {
		return err
	}
	if gate := s.gate(sources, !approved); !gate.Open {
		return gate.held()
	}
	s.IsPublic = true
	return nil
}

// Unpublish makes a session not public and returns it before and after. It emits nothing, unlike an update with the
// same effect. It answers NotFound for a row that is not live.
func (p *Programme) Unpublish(ctx context.Context, id string) (before, after *Session, err error) {
	err = p.Write(ctx, func(tx *store.Tx) error {
		if before, err = p.Live(tx, id); err != nil {
			return err
		}
		after = new(*before)
		after.IsPublic = false
		return p.commit(tx, hiding, change{before, after})
	})
	return before, after, err
}

// runPublish publishes one session of a batch; its errors leave out the hint for API clients.
func runPublish(
	ctx context.Context, p *Programme, _ *store.Tx, c *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	before, after, err = p.Publish(ctx, item.SessionID, Publishing{Reason: c.Reason})
	if store.KindOf(err) == store.GateHeld {
		text, _, _ := strings.Cut(err.Error(), ". ")
		err = &store.Error{Kind: store.GateHeld, Message: text + "."}
	}
	return before, after, goneMeanwhile(err)
}

func runUnpublish(
	ctx context.Context, p *Programme, _ *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	before, after, err = p.Unpublish(ctx, item.SessionID)
	return before, after, goneMeanwhile(err)
}

// goneMeanwhile explains why a chosen session is not found any more.
func goneMeanwhile(err error) error {
	if store.KindOf(err) == store.NotFound {
		return store.Missing("It was deleted meanwhile.")
	}
	return err
}

func cleanPublish(c *BatchChange, _ MetadataSet) (err error) {
	c.Reason, err = store.CleanText("reason", c.Reason, MaxReason)
	return err
}

// PublishGate says whether a session may be published without an override, and what holds it.
type PublishGate struct {
	Open    bool         `json:"open" doc:"Publishing needs no publish_override"`
	Reasons []GateReason `json:"reasons" nullable:"false" doc:"What holds it, empty when it is open"`
}

// GateReason is one thing that holds a session.
type GateReason struct {
	Hold    Hold   `json:"hold" enum:"alone,undecided,undrafted,unsent,failed,unknown,content"`
	Message string `json:"message"`
}

// holdWords say why a session is held, and what to do about it.
var holdWords = map[Hold]struct{ reason, remedy string }{
	HeldAlone:     {"no live submission with a decision letter is behind it", "compose it of an accepted submission"},
	HeldUndecided: {"the submission is not accepted", "accept it and send its letter"},
	HeldUndrafted: {"its decision letter was not begun", "write to its people or mark them as told"},
	HeldUnsent:    {"its decision letter has not been sent", "send the letter"},
	HeldFailed:    {"its decision letter did not arrive", "send it again or mark its people as told"},
	HeldUnknown:   {"nobody knows whether its decision letter arrived", "send it again or mark its people as told"},
	HeldContent:   {"its content is not approved", "approve the content"},
}

// GatedSession is a session with its publish gate.
type GatedSession struct {
	Session
	PublishGate *PublishGate `json:"publish_gate,omitempty" doc:"Told with expand=publish_gate"`
}

// GatedSession is Session with the session's publish gate.
func (p *Programme) GatedSession(ctx context.Context, id string) (*GatedSession, error) {
	s, err := p.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	gates, err := p.Gates(ctx, s)
	if err != nil {
		return nil, err
	}
	return &GatedSession{*s, gates[0]}, nil
}

// Gates returns the publish gates of sessions, in their order; the gate of a public session is open.
func (p *Programme) Gates(ctx context.Context, sessions ...*Session) ([]*PublishGate, error) {
	var ids []string
	for _, s := range sessions {
		if !s.IsPublic {
			ids = append(ids, s.ID)
		}
	}
	behind, asks := map[string][]*source{}, false
	if len(ids) > 0 {
		sources, err := p.behind(p.Read(ctx), "(a.composed_into IN ? OR a.id IN ?)", ids, ids)
		if err != nil {
			return nil, err
		}
		if asks, err = p.asksApproval(p.Read(ctx)); err != nil {
			return nil, err
		}
		for _, x := range sources {
			behind[x.SessionID], behind[x.AbstractID] = append(behind[x.SessionID], x), append(behind[x.AbstractID], x)
		}
	}
	gates := store.Map(sessions, func(s *Session) *PublishGate { return s.gate(behind[s.ID], asks) })
	return gates, nil
}

// gate returns the publish gate of a session; sources are the abstracts behind it, and asksApproval says that the event
// asks for approved content.
func (s *Session) gate(sources []*source, asksApproval bool) *PublishGate {
	g := &PublishGate{Reasons: []GateReason{}}
	if !s.IsPublic {
		if hold, _ := holding(sources); hold != "" {
			g.add(hold)
		}
		if asksApproval && !s.IsAbstract && s.ContentState != ContentApproved {
			g.add(HeldContent)
		}
	}
	g.Open = len(g.Reasons) == 0
	return g
}

func (g *PublishGate) add(hold Hold) {
	g.Reasons = append(g.Reasons, GateReason{hold, sentence(holdWords[hold].reason)})
}
