package drive

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// chromium is one browser process for all journeys; each window is a context of its own.
var chromium = sync.OnceValues(func() (*rod.Browser, error) {
	bin, err := chromiumBin()
	if err != nil {
		return nil, err
	}
	if bin, err = guarded(bin); err != nil {
		return nil, err
	}
	address, err := launcher.New().Bin(bin).Leakless(false).NoSandbox(true).Headless(true).
		Set("disable-dev-shm-usage").Set("disable-gpu").Launch()
	if err != nil {
		return nil, err
	}
	browser := rod.New().ControlURL(address)
	if err := browser.Connect(); err != nil {
		return nil, err
	}
	launched = browser
	return browser, nil
})

// launched is the browser that chromium started, nil before.
var launched *rod.Browser

func closeChromium() {
	if launched != nil {
		launched.Close()
	}
}

// guarded returns a script that runs the browser so that it ends with the tests, however these end.
func guarded(bin string) (string, error) {
	if _, err := exec.LookPath("setpriv"); err != nil {
		return bin, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	script := filepath.Join(dir, "lectern-"+filepath.Base(bin))
	text := fmt.Sprintf("#!/bin/sh\nexec setpriv --pdeathsig KILL %q \"$@\"\n", bin)
	if there, err := os.ReadFile(script); err == nil && string(there) == text {
		return script, nil
	}
	own, err := os.CreateTemp(dir, "lectern-") // another package may write it at the same moment
	if err != nil {
		return "", err
	}
	_, err = own.WriteString(text)
	return script, errors.Join(err, own.Chmod(0o755), own.Close(), os.Rename(own.Name(), script))
}

// chromiumBin returns the path of Debian's Chromium, and installs it if it is missing. The headless shell comes first:
// the same engine without a window, for a third less work. LECTERN_E2E_BROWSER names another browser.
func chromiumBin() (string, error) {
	if bin := os.Getenv("LECTERN_E2E_BROWSER"); bin != "" {
		return bin, nil
	}
	var faults error
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		bin := "/usr/bin/" + name
		if _, err := os.Stat(bin); err == nil {
			return bin, nil
		}
		out, err := exec.Command(filepath.Join(Root, "scripts/apt-install.sh"), name).CombinedOutput()
		if err == nil {
			return bin, nil
		}
		faults = errors.Join(faults, fmt.Errorf("%s: %w: %s", name, err, out))
	}
	return "", fmt.Errorf("the browser tests need Debian's chromium: %w", faults)
}

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
