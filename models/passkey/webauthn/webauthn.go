// Package webauthn checks browsers' answers with go-webauthn. That library can reach the network, which models must
// not, so it stands apart and is passed to whoever needs a [passkey.Site].
package webauthn

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"lectern/models/passkey"
	"lectern/models/signin"
)

// Site implements [passkey.Site] for one address.
type Site struct {
	at  passkey.Address
	lib *webauthn.WebAuthn
}

// New returns the site at a public address; nil and the reason where browsers make no passkeys.
func New(public string) (*Site, string) {
	at, why := passkey.AddressOf(public)
	if why != "" {
		return nil, why
	}
	within := webauthn.TimeoutConfig{Timeout: passkey.ChallengeLifetime, TimeoutUVD: passkey.ChallengeLifetime}
	lib, err := webauthn.New(&webauthn.Config{
		RPID: at.Host, RPDisplayName: "Lectern", RPOrigins: []string{at.Origin},
		AttestationPreference: protocol.PreferNoAttestation,
		// Every passkey can sign in alone: it names its owner, and its device verifies them.
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: new(true),
			UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: within, Registration: within},
		// Nothing here reads the extensions that some browsers send unasked.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, "The public address of this server is none that browsers make passkeys for."
	}
	return &Site{at, lib}, ""
}

func (s *Site) Host() string { return s.at.Host }

// owner is a person with their passkeys, as the library wants them.
type owner struct {
	passkey.Person
	keys []webauthn.Credential
}

func (o *owner) WebAuthnID() []byte                         { return []byte(o.ID) }
func (o *owner) WebAuthnName() string                       { return o.Email }
func (o *owner) WebAuthnDisplayName() string                { return o.Name }
func (o *owner) WebAuthnCredentials() []webauthn.Credential { return o.keys }

func credential(k passkey.Key) (webauthn.Credential, error) {
	id, errID := passkey.Decode(k.CredentialID)
	public, err := passkey.Decode(k.PublicKey)
	c := webauthn.Credential{ID: id, PublicKey: public, Flags: webauthn.CredentialFlags{BackupEligible: k.IsSynced},
		Authenticator: webauthn.Authenticator{SignCount: uint32(k.SignCount)}}
	for _, transport := range strings.Fields(k.Transports) {
		c.Transport = append(c.Transport, protocol.AuthenticatorTransport(transport))
	}
	return c, errors.Join(errID, err)
}

func descriptors(keys []passkey.Key) (all []protocol.CredentialDescriptor, err error) {
	for _, k := range keys {
		c, err := credential(k)
		if err != nil {
			return nil, err
		}
		all = append(all, c.Descriptor())
	}
	return all, nil
}

// RegistrationOptions returns the options for a new passkey; a device that already has one of these keys makes no
// other.
func (s *Site) RegistrationOptions(of passkey.Person, challenge []byte, has []passkey.Key) (string, error) {
	others, err := descriptors(has)
	if err != nil {
		return "", err
	}
	options, _, err := s.lib.BeginRegistration(&owner{Person: of}, webauthn.WithExclusions(others),
		func(o *protocol.PublicKeyCredentialCreationOptions) error {
			o.Challenge = challenge
			return nil
		})
	if err != nil {
		return "", err
	}
	return text(options.Response)
}

// SignInOptions returns the options for one of these keys, or for any that the browser has.
func (s *Site) SignInOptions(challenge []byte, keys ...passkey.Key) (string, error) {
	of, err := descriptors(keys)
	if err != nil {
		return "", err
	}
	verification := protocol.VerificationRequired
	if len(keys) > 0 { // the person signed in by other means as well
		verification = protocol.VerificationDiscouraged
	}
	options, _, err := s.lib.BeginDiscoverableLogin(webauthn.WithChallenge(challenge),
		webauthn.WithAllowedCredentials(of), webauthn.WithUserVerification(verification))
	if err != nil {
		return "", err
	}
	return text(options.Response)
}

func text(options any) (string, error) {
	b, err := json.Marshal(options)
	return string(b), err
}

// VerifyRegistration verifies a new passkey.
func (s *Site) VerifyRegistration(answer, challenge []byte, of passkey.Person) (*passkey.Key, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return nil, refusal(err)
	}
	c, err := s.lib.CreateCredential(&owner{Person: of}, webauthn.SessionData{
		Challenge: passkey.Encode(challenge), RelyingPartyID: s.at.Host, UserID: []byte(of.ID),
		UserVerification: protocol.VerificationRequired, CredParams: webauthn.CredentialParametersDefault(),
	}, parsed)
	if err != nil {
		return nil, refusal(err)
	}
	var transports []string
	for _, t := range c.Transport {
		transports = append(transports, string(t))
	}
	return &passkey.Key{
		CredentialID: passkey.Encode(c.ID), PublicKey: passkey.Encode(c.PublicKey), MadeFor: s.at.Host,
		SignCount: int64(c.Authenticator.SignCount), IsSynced: c.Flags.BackupEligible,
		Transports: strings.Join(transports, " "),
	}, nil
}

// VerifySignIn verifies the use of a passkey.
func (s *Site) VerifySignIn(answer, challenge []byte, key passkey.Key, personID string, alone bool) (passkey.Use, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return passkey.Use{}, refusal(err)
	}
	c, err := credential(key)
	if err != nil {
		return passkey.Use{}, err
	}
	who := &owner{Person: passkey.Person{ID: personID}, keys: []webauthn.Credential{c}}
	asked := webauthn.SessionData{Challenge: passkey.Encode(challenge), RelyingPartyID: s.at.Host}
	if alone {
		asked.UserVerification = protocol.VerificationRequired
		_, proven, err := s.lib.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return who, nil }, asked, parsed)
		return use(proven, err)
	}
	asked.UserID, asked.AllowedCredentialIDs = []byte(personID), [][]byte{c.ID}
	proven, err := s.lib.ValidateLogin(who, asked, parsed)
	return use(proven, err)
}

func use(c *webauthn.Credential, err error) (passkey.Use, error) {
	if err != nil {
		return passkey.Use{}, refusal(err)
	}
	return passkey.Use{SignCount: int64(c.Authenticator.SignCount), IsCloned: c.Authenticator.CloneWarning}, nil
}

// refusal returns a Refusal with the library's words, such as the origin or host that was expected and the one that
// came.
func refusal(err error) error {
	var known *protocol.Error
	if errors.As(err, &known) {
		return &passkey.Refusal{Why: signin.Clip(strings.TrimSuffix(known.Details+": "+known.DevInfo, ": "), 250)}
	}
	return &passkey.Refusal{Why: "it is no answer of a browser"}
}
