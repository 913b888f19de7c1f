package call

import (
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call/public"
)

// joinPage asks a person to join a proposal as a co-speaker. After a yes, it offers to open their place.
func joinPage(v *visit) error {
	asked, err := call.InvitationBy(v.ctx(), v.w.store, v.event, v.Params("token"), v.browser(), v.login)
	if err != nil {
		return v.deadLink(err)
	}
	if asked.State == call.Joined {
		return v.Show(pages.OpenLink(pages.OpenLinkPage{Public: v.sheet(v.T("link.open")), Action: v.Path()}))
	}
	return v.Show(pages.Join(pages.JoinPage{Public: v.sheet(v.T("join.title")), Action: v.Path(), From: asked.From,
		Title: asked.Title, Abstract: store.Paragraphs(asked.Description), Role: string(asked.Role), Declined: asked.State == call.Refused}))
}

// join adds a person to a proposal, or records their no.
func join(v *visit) error {
	if v.Value("answer") == "no" {
		if err := call.DeclineBy(v.ctx(), v.w.store, v.event, v.Params("token"), v.browser(), v.login); err != nil {
			return v.deadLink(err)
		}
		return v.See(v.Path(), v.T("join.keptno"))
	}
	done, id, err := call.JoinBy(v.ctx(), v.w.store, v.event, v.Params("token"), v.named(), v.login)
	if err != nil {
		return v.deadLink(err)
	}
	return v.opened(done, v.path("place/proposals", id))
}
