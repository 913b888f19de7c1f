package signin

import (
	"testing"
)

func TestCommonPasswordsAreKnownInEveryDress(t *testing.T) {
	t.Parallel()
	for _, common := range []string{
		"1234567890", "qwertyuiop", "QwertyUIOP", " qwertyuiop ", "password123", "Password123", "p@ssw0rd2026!", "P@ssw0rd!!",
		"!liverpool1",
		"passwordpassword", "WelcomeWelcome1", "aaaaaaaaaa", "!!!!!!!!!!", "1111111111a", "жжжжжжжжжж", "123123123123",
		"administrator", "iloveyou2027",
	} {
		if !isCommon(common) {
			t.Errorf("%q is not known", common)
		}
	}
	for _, own := range []string{
		"correct horse battery", "another password", "a long password", "welcome to the harbour", "8417 2290 1653",
		"living crane", "хмурый жираф", "4f9c-22d1-77aa", "k7#mZ!x_02Lq", "",
	} {
		if isCommon(own) {
			t.Errorf("%q is said to be common", own)
		}
	}
}
