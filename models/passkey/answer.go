package passkey

import "lectern/models/store"

// Answer is a browser's answer to a challenge of a site; Token is the one that the challenge was made for.
type Answer struct {
	Site  Site
	Token string
	JSON  []byte
}

// Made checks the answer that brings somebody's new passkey, and returns the key without storing it. It answers a
// Refusal.
func (a Answer) Made(tx *store.Tx, to Purpose, of Person, name string) (*Key, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return nil, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return nil, err
	}
	made, err := a.Site.VerifyRegistration(a.JSON, said.Challenge, of)
	if err != nil {
		return nil, err
	}
	made.ID, made.Name, made.CreatedAt = store.NewID(), name, tx.Now
	return made, nil
}

// Proves checks the answer of a passkey of the person with this id, once; alone is that of [Site.Used]. It answers a
// Refusal.
func (a Answer) Proves(tx *store.Tx, to Purpose, key Key, personID string, alone bool) (Use, error) {
	said, err := Read(a.JSON)
	if err != nil {
		return Use{}, err
	}
	if err := take(tx, said.Challenge, to, a.Token); err != nil {
		return Use{}, err
	}
	return a.Site.VerifySignIn(a.JSON, said.Challenge, key, personID, alone)
}

// Facts returns the columns to update after a passkey was used.
func (u Use) Facts(tx *store.Tx) map[string]any {
	return map[string]any{"sign_count": u.SignCount, "last_used_at": tx.Now}
}
