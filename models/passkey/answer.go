package passkey

import "lectern/models/store"

// Answer is what a browser answers to a challenge of a site, which it was given for its token.
type Answer struct {
	Site  Site
	Token string
	JSON  []byte
}

// Made takes the answer with a new passkey of somebody, and keeps it nowhere. It answers a Refusal.
func (a Answer) Made(tx *store.Tx, to Purpose, of Person, name string) (*Key, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return nil, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return nil, err
	}
	made, err := a.Site.Made(a.JSON, said.Challenge, of)
	if err != nil {
		return nil, err
	}
	made.ID, made.Name, made.CreatedAt = store.NewID(), name, tx.Now
	return made, nil
}

// Proves takes the answer of a passkey of the person with an id, once; alone as [Site.Used] says. It answers a Refusal.
func (a Answer) Proves(tx *store.Tx, to Purpose, key Key, personID string, alone bool) (Use, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return Use{}, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return Use{}, err
	}
	return a.Site.Used(a.JSON, said.Challenge, key, personID, alone)
}

// Facts are what the last use of a passkey leaves with it.
func (u Use) Facts(tx *store.Tx) map[string]any {
	return map[string]any{"sign_count": u.SignCount, "last_used_at": tx.Now}
}
