package main

import "testing"

func TestAnAddressThatOthersCanReadAlongIsNamed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://lectern.example.org": false, "http://127.0.0.1:8080": false, "http://localhost:8080": false,
		"http://[::1]:8080":          false,
		"http://lectern.example.org": true, "http://10.0.0.5:8080": true, "http://0.0.0.0:8080": true, "http://:8080": true,
		"http://127.0.0.1.example.org": true,
	} {
		if got := readAlong(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
