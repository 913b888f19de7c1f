package drive

import "github.com/go-rod/rod/lib/proto"

// Device is a window's virtual authenticator of passkeys. Its user is present and verified unless set otherwise.
type Device struct {
	w  *Window
	id proto.WebAuthnAuthenticatorID
}

// Device gives the window an authenticator.
func (w *Window) Device() *Device {
	w.T.Helper()
	w.Check(proto.WebAuthnEnable{}.Call(w.Page), "passkeys")
	made, err := proto.WebAuthnAddVirtualAuthenticator{Options: &proto.WebAuthnVirtualAuthenticatorOptions{
		Protocol: proto.WebAuthnAuthenticatorProtocolCtap2, Transport: proto.WebAuthnAuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}.Call(w.Page)
	w.Check(err, "a device")
	return &Device{w, made.AuthenticatorID}
}

// Presence sets whether the user is present. If so, the device takes the first passkey of a list by itself.
func (d *Device) Presence(there bool) {
	d.w.T.Helper()
	d.w.Check(proto.WebAuthnSetAutomaticPresenceSimulation{AuthenticatorID: d.id, Enabled: there}.Call(d.w.Page), "presence")
}

// Verified sets whether the user can unlock the device.
func (d *Device) Verified(can bool) {
	d.w.T.Helper()
	d.w.Check(proto.WebAuthnSetUserVerified{AuthenticatorID: d.id, IsUserVerified: can}.Call(d.w.Page), "unlocking")
}

// NoList disables the list of passkeys in the window's pages, as in older browsers.
func (w *Window) NoList() {
	w.T.Helper()
	_, err := w.Page.EvalOnNewDocument(`PublicKeyCredential.isConditionalMediationAvailable = undefined`)
	w.Check(err, "no list")
}
