package staff

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"lectern/models/signin"
	"lectern/models/store"
)

// Entry is a sign-in by a provider. With IsNew it linked the provider's account to a member, who is notified.
type Entry struct {
	Token string
	Login *Login
	IsNew bool
}

// entrance is a sign-in by a provider in progress. The organization is locked.
type entrance struct {
	*Team
	tx       *store.Tx
	visit    *ProviderVisit
	provider *Provider // as stored now
	who      Person
	identity *Identity // nil until it is found or created
	isNew    bool
	refused  error // why the sign-in is refused, although the transaction commits
}

// Enter signs in the person whom a provider names. Somebody without an identity here accepts the invitation that they
// come by or that waits for their address, is linked to the member with their address, or becomes a member by their
// groups; for the latter three the provider must vouch for the address and be allowed its domain. It answers NotFound
// for anybody else, with words on what to do.
func (a *Accounts) Enter(ctx context.Context, v *ProviderVisit, who Person, b signin.Browser) (*Entry, error) {
	var entry *Entry
	var refused error
	err := a.Write(ctx, func(tx *store.Tx) error {
		e := &entrance{Team: a.Team(a.Organization(v.Provider.OrganizationID, store.ByIn(ctx))), tx: tx, visit: v, who: who}
		entry, refused = nil, nil
		u, err := e.enter()
		if refused = e.refused; err != nil || refused != nil {
			return err
		}
		entry = &Entry{Login: &Login{UserID: u.ID, IdentityID: &e.identity.ID, User: u}, IsNew: e.isNew}
		entry.Token, entry.Login.Login = signin.NewLogin(tx.Now, b, providerLifetime)
		by := u.InPerson(ctx)
		by.Address = entry.Login.Address
		return errors.Join(tx.Create(entry.Login).Error, signin.GiveBack(tx, ofProviderVisits(b.Address)),
			tx.Secure(u.OrganizationID, nil, by, store.SignedIn, store.Change{ID: u.ID,
				After: map[string]any{"second_factor": false, "provider": e.provider.Name}}))
	})
	if err = cmp.Or(err, refused); err != nil {
		a.NoteVisitRefused(ctx, v, b.Address)
		return nil, err
	}
	return entry, nil
}

// NoteVisitRefused notes in the security log that somebody came back from a provider and was refused.
func (a *Accounts) NoteVisitRefused(ctx context.Context, v *ProviderVisit, address string) {
	by := store.ByIn(ctx)
	by.Address = address
	a.Note(store.Incident{Event: store.ProviderSignInFailed, By: by, OrganizationID: v.Provider.OrganizationID,
		SubjectID: v.Provider.ID, Facts: map[string]any{"of": v.Provider.Name}})
}

func (e *entrance) enter() (*User, error) {
	if err := e.Hold(e.tx); err != nil {
		return nil, err
	}
	var err error
	if e.provider, err = providerThatIsOn(e.tx, e.visit.ProviderID); err != nil {
		return nil, err
	}
	if e.identity, err = identityOf(e.tx, e.provider.ID, e.who.Subject); err != nil {
		return nil, err
	}
	u, err := e.member()
	if err != nil {
		return nil, err
	}
	used := map[string]any{"last_used_at": e.tx.Now, "email": signin.Clip(e.who.Email, 254)}
	if err := e.tx.Model(e.identity).UpdateColumns(used).Error; err != nil {
		return nil, err
	}
	if u.ProviderID == nil || *u.ProviderID != e.provider.ID {
		return u, nil
	}
	return u, e.applyGroups(u)
}

// identityOf returns the identity of a provider's subject, nil if it is not linked yet.
func identityOf(tx *store.Tx, providerID, subject string) (*Identity, error) {
	var known []*Identity
	err := tx.Where("provider_id = ? AND subject = ?", providerID, subject).Limit(1).Find(&known).Error
	if err != nil || len(known) == 0 {
		return nil, err
	}
	return known[0], nil
}

// member returns the user who signs in, and links their identity.
func (e *entrance) member() (*User, error) {
	if e.identity != nil {
		u, err := hold(e.tx, e.identity.UserID, errRemovedHere)
		if err == nil {
			return u, loadRoles(e.tx.DB, u)
		}
		if err != errRemovedHere {
			return nil, err
		}
	}
	if u, err := e.invited(); err != nil || u != nil {
		return u, err
	}
	if e.identity != nil {
		return nil, errRemovedHere
	}
	return e.stranger()
}

var errRemovedHere = store.Missing("You were removed from the staff here. Ask an owner to invite you again.")

// vouched reports whether the provider vouches for the address and is allowed its domain.
func (e *entrance) vouched() bool {
	return e.who.Verified && store.IsEmail(e.who.Email) && e.provider.allows(e.who.Email)
}

// invited accepts the invitation that the browser came with or that waits for the person's address; nil for none.
func (e *entrance) invited() (*User, error) {
	waiting := e.tx.Where("organization_id = ? AND kind = ? AND used_at IS NULL AND expires_at > ?", e.ID, linkInvitation,
		e.tx.Now)
	switch {
	case e.visit.InvitationID != "":
		waiting = waiting.Where("id = ?", e.visit.InvitationID)
	case e.vouched():
		waiting = waiting.Where("email_key = ?", store.Fold(e.who.Email))
	default:
		return nil, nil
	}
	link, err := store.One[staffLink](waiting, errNoLink)
	if err == errNoLink && e.visit.InvitationID == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := useLink(e.tx, link.ID); err != nil {
		return nil, err
	}
	u := &User{Email: link.Email, Role: link.Role, Everywhere: link.Everywhere, Roles: link.Roles}
	return u, e.enrol(u)
}

// stranger returns the member with the provider's address, or a new member by their groups.
func (e *entrance) stranger() (*User, error) {
	switch {
	case !e.who.Verified || !store.IsEmail(e.who.Email):
		return nil, e.refuse("does not vouch for your e-mail address, so it cannot bring you in by itself.")
	case !e.provider.allows(e.who.Email):
		return nil, e.refuse("may not bring in people with an address like yours.")
	}
	var known User
	err := e.tx.Lock().Where("email_key = ?", store.Fold(e.who.Email)).Limit(1).Find(&known).Error
	if err != nil {
		return nil, err
	}
	switch {
	case known.ID != "" && known.OrganizationID != e.ID:
		return nil, e.refuse("has your address, but it belongs to somebody else here.")
	case known.ID != "" && known.DisabledAt != nil:
		return nil, errRemovedHere
	case known.ID != "":
		return &known, e.adopt(&known)
	}
	events, err := eventsOf(e.tx, e.ID)
	if err != nil {
		return nil, err
	}
	u := &User{Email: e.who.Email, ProviderID: &e.provider.ID}
	var given bool
	if u.Role, u.Everywhere, u.Roles, given = e.provider.granted(e.who.Groups, events); !given {
		return nil, e.refuse("knows you, but none of your groups is let in here.")
	}
	return u, e.enrol(u)
}

func (e *entrance) refuse(why string) error {
	return store.Missing(e.provider.Name + " " + why + " Ask an owner to invite you.")
}

// adopt links a member to the provider's account that has their address. It refuses if the member has another account
// of this provider already, or if another provider's groups decide what they may do.
func (e *entrance) adopt(u *User) error {
	others := e.tx.Model(&Identity{}).Where("provider_id = ? AND user_id = ?", e.provider.ID, u.ID)
	another := e.refuse("has another account with your address that is linked here already.")
	if err := store.Unless(others, another); err != nil {
		return err
	}
	if u.ProviderID != nil && *u.ProviderID != e.provider.ID {
		return e.refuse("is not the provider by which the member with your address came.")
	}
	if err := loadRoles(e.tx.DB, u); err != nil {
		return err
	}
	e.isNew = true
	return e.link(u)
}

// enrol makes a member without a password, and links the identity to them.
func (e *entrance) enrol(u *User) (err error) {
	if u.Name, err = store.CleanName("name", store.OneLine(e.who.Name), store.MaxName); err != nil {
		u.Name, _, _ = strings.Cut(u.Email, "@")
	}
	u.OrganizationID = e.ID
	if err := cleanGrants(e.tx, u); err != nil {
		return err
	}
	identityID := ""
	if e.identity != nil {
		identityID = e.identity.ID
	}
	if err := e.Enrol(e.tx, u, identityID); err != nil {
		return err
	}
	return e.link(u)
}

// link makes the identity that of a member, even if it was another member's before that one was removed.
func (e *entrance) link(u *User) error {
	by := e.By
	by.ActorID, by.ActorName = u.ID, u.Name
	if e.identity == nil {
		e.identity = &Identity{ID: store.NewID(), ProviderID: e.provider.ID, Subject: e.who.Subject, UserID: u.ID,
			CreatedAt: e.tx.Now}
		if err := e.tx.Create(e.identity).Error; err != nil {
			return err
		}
	} else if err := e.tx.Model(e.identity).UpdateColumn("user_id", u.ID).Error; err != nil {
		return err
	}
	return e.tx.Secure(e.ID, nil, by, store.IdentityLinked,
		store.Change{ID: u.ID, After: map[string]any{"provider": e.provider.Name}})
}

// applyGroups gives a member what their groups say now. A member without a group is refused, and their sign-ins end.
// The last owner who can sign in stays owner.
func (e *entrance) applyGroups(u *User) error {
	events, err := eventsOf(e.tx, e.ID)
	if err != nil {
		return err
	}
	role, everywhere, roles, given := e.provider.granted(e.who.Groups, events)
	resigns := u.Role == Owner && role != Owner // even with no group at all
	if resigns {
		if err := e.keepWayIn(e.tx, u.ID, errLastOwner); err == errLastOwner {
			return nil
		} else if err != nil {
			return err
		}
	}
	if !given {
		e.refused = e.refuse("no longer has you in a group that is let in here.")
		return endLogins(e.tx, u.ID, "")
	}
	before := u.grants()
	if resigns {
		if err := endSentInvitations(e.tx, u); err != nil {
			return err
		}
	}
	u.Role, u.Everywhere, u.Roles = role, everywhere, roles
	return e.saveGrants(e.tx, u, before, store.By{Door: e.By.Door, RequestID: e.By.RequestID, ActorName: e.provider.Name})
}
