package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
)

// chromium is one browser process for all journeys; each has windows of its own.
var chromium = sync.OnceValues(func() (*rod.Browser, error) {
	bin, err := chromiumBin()
	if err != nil {
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

// launched is the browser that chromium started, if a journey asked for it.
var launched *rod.Browser

func closeChromium() {
	if launched != nil {
		launched.Close()
	}
}

// chromiumBin finds Debian's Chromium, and installs it where it is missing. The
// headless shell comes first: the same engine without a window's frame, which takes
// a third of the work away. LECTERN_E2E_BROWSER names another browser.
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
		out, err := exec.Command("../scripts/apt-install.sh", name).CombinedOutput()
		if err == nil {
			return bin, nil
		}
		faults = errors.Join(faults, fmt.Errorf("%s: %w: %s", name, err, out))
	}
	return "", fmt.Errorf("the browser tests need Debian's chromium: %w", faults)
}
