package models

import "context"

// PublishGate is whether a session may be published without an override, and what holds it.
type PublishGate struct {
	Open    bool         `json:"open" doc:"Publishing needs no publish_override"`
	Reasons []GateReason `json:"reasons" nullable:"false" doc:"What holds it, empty when it is open"`
}

// GateReason is one thing that holds a session.
type GateReason struct {
	Hold    Hold   `json:"hold" enum:"alone,undecided,undrafted,unsent,failed,unknown,content"`
	Message string `json:"message"`
}

var holdMessages = map[Hold]string{
	HeldAlone:     "No live submission is behind it, so there is no decision letter.",
	HeldUndecided: "The submission is not accepted.",
	HeldUndrafted: "Its decision letter was not begun.",
	HeldUnsent:    "Its decision letter has not been sent.",
	HeldFailed:    "Its decision letter did not arrive.",
	HeldUnknown:   "Nobody knows whether its decision letter arrived.",
	HeldContent:   "Its content is not approved.",
}

// GatedSession is a session with its publish gate.
type GatedSession struct {
	Session
	PublishGate *PublishGate `json:"publish_gate,omitempty" doc:"Told with expand=publish_gate"`
}

// GatedSession returns what Session does, with the gate of what is not public yet; what is public has it open.
func (p *Programme) GatedSession(ctx context.Context, id string) (*GatedSession, error) {
	s, err := p.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	gated := &GatedSession{Session: *s, PublishGate: &PublishGate{Reasons: []GateReason{}}}
	if !s.IsPublic {
		sources, err := p.behindSession(p.read(ctx), s)
		if err != nil {
			return nil, err
		}
		if hold, _ := holding(sources); hold != "" {
			gated.PublishGate.add(hold)
		}
		approved, err := p.approved(p.read(ctx), s)
		if err != nil {
			return nil, err
		}
		if !approved {
			gated.PublishGate.add(HeldContent)
		}
	}
	gated.PublishGate.Open = len(gated.PublishGate.Reasons) == 0
	return gated, nil
}

func (g *PublishGate) add(hold Hold) {
	g.Reasons = append(g.Reasons, GateReason{hold, holdMessages[hold]})
}
