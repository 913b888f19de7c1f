package jobs_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models/modelstest"
)

// The first vector is GitHub's published one for webhooks, the others are of
// RFC 4231.
func TestSignatureMatchesPublishedVectors(t *testing.T) {
	for _, v := range []struct{ secret, body, hex string }{
		{"It's a Secret to Everybody", "Hello, World!", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
		{strings.Repeat("\x0b", 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{strings.Repeat("\xaa", 20), strings.Repeat("\xdd", 50),
			"773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		{strings.Repeat("\xaa", 131), "Test Using Larger Than Block-Size Key - Hash Key First",
			"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
	} {
		modelstest.Want(t, v.body, jobs.Sign(v.secret, []byte(v.body)), "sha256="+v.hex)
		if !jobs.Verify(v.secret, []byte(v.body), "sha256="+v.hex) || !jobs.Verify(v.secret, []byte(v.body), v.hex) {
			t.Errorf("%q does not verify", v.body)
		}
		if jobs.Verify(v.secret, []byte(v.body+" "), v.hex) || jobs.Verify(v.secret+"x", []byte(v.body), v.hex) ||
			jobs.Verify(v.secret, []byte(v.body), "") {
			t.Errorf("%q verifies with another body, secret or signature", v.body)
		}
	}
}

// The vector is of the tests of the Standard Webhooks libraries.
func TestStandardSignatureMatchesThePublishedVector(t *testing.T) {
	header := http.Header{}
	jobs.SignStandard(header, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
		time.Unix(1614265330, 999_000_000), []byte(`{"test": 2432232314}`))
	for name, want := range map[string]string{
		"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
		"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	} {
		modelstest.Want(t, name, header.Get(name), want)
	}
	foreign := http.Header{}
	if jobs.SignStandard(foreign, "It's a Secret to Everybody", "1", time.Now(), nil); len(foreign) != 0 {
		t.Errorf("a secret without such a key has %v", foreign)
	}
}
