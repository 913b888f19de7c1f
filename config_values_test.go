package main

import (
	"strings"
	"testing"

	"lectern/models/modelstest"
)

func TestAnAddressThatOthersCanReadAlongIsNamed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://lectern.example.org": false, "http://127.0.0.1:8080": false, "http://localhost:8080": false,
		"http://[::1]:8080":          false,
		"http://lectern.example.org": true, "http://10.0.0.5:8080": true, "http://0.0.0.0:8080": true, "http://:8080": true,
		"http://127.0.0.1.example.org": true,
	} {
		modelstest.Want(t, address, readAlong(address), want)
	}
}

func TestHeadersAndShareOfTracesAreRead(t *testing.T) {
	t.Parallel()
	headers, err := parseHeaders("authorization=Bearer%20a=b, x-tenant = harbour")
	if err != nil || len(headers) != 2 || headers["authorization"] != "Bearer a=b" || headers["x-tenant"] != "harbour" {
		t.Errorf("%v, %v", headers, err)
	}
	for _, wrong := range []string{"authorization", "=x", "a b=c", "a=%0d%0ax", ",", "a=%zz"} {
		if headers, err := parseHeaders(wrong); err == nil || strings.Contains(err.Error(), "%0d") {
			t.Errorf("%q: %v, %v", wrong, headers, err)
		}
	}
	for given, want := range map[string]bool{"0": true, "1": true, "0.25": true, "-0.1": false, "1.1": false,
		"NaN": false, "": false, "half": false} {
		if _, err := parseShare(given); (err == nil) != want {
			t.Errorf("%q: %v", given, err)
		}
	}
}
