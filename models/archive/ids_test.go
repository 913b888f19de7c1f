package archive

import "testing"

func TestIDsAreNewWhereverTheyStand(t *testing.T) {
	t.Parallel()
	const a, b = "0199a1b2-0000-7000-8000-00000000000a", "0199a1b2-0000-7000-8000-00000000000b"
	ids := renamed{a: "A", b: "B", "key": "K"}
	for text, want := range map[string]string{
		"": "", a: "A", "key": "K", "a key": "a key", "q=" + a: "q=A", a + b: "AB", a + "," + b: "A,B",
		`{"tracks":["` + a + `"],"x-y":"` + b + `"}`: `{"tracks":["A"],"x-y":"B"}`,
		"-" + a + "-": "-A-", "0199a1b2-" + a: "0199a1b2-A", "é" + a + "é": "éAé", a[:35]: a[:35],
		"0" + a: "0A", "2026-11-21 " + a + " 2026-11-21": "2026-11-21 A 2026-11-21",
		"0199a1b2-0000-7000-8000-00000000000c, " + a: "0199a1b2-0000-7000-8000-00000000000c, A",
	} {
		if got := ids.in(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
