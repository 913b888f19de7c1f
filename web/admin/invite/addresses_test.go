package invite

import (
	"slices"
	"testing"
)

func TestAPastedListOfAddressesIsRead(t *testing.T) {
	t.Parallel()
	one := func(name, email string) string { return name + "<" + email + ">" }
	for list, want := range map[string][]string{
		"":                                  nil,
		" \n ; , \n":                        nil,
		"ada@example.org":                   {one("", "ada@example.org")},
		"a@x.org, b@x.org;c@x.org\nd@x.org": {one("", "a@x.org"), one("", "b@x.org"), one("", "c@x.org"), one("", "d@x.org")},
		"a@x.org b@x.org\tc@x.org":          {one("", "a@x.org"), one("", "b@x.org"), one("", "c@x.org")},
		"Ada Example <ada@example.org>; <b@x.org>,":      {one("Ada Example", "ada@example.org"), one("", "b@x.org")},
		`"Example, Ada" <ada@x.org>, "Bo; B." <b@x.org>`: {one("Ada Example", "ada@x.org"), one("Bo; B.", "b@x.org")},
		"Kowalska, Anna <anna@x.org>, Li Na <li@x.org>":  {one("Anna Kowalska", "anna@x.org"), one("Li Na", "li@x.org")},
		"Ada Example\tada@x.org\r\nBo (b@x.org)\r\n":     {one("Ada Example", "ada@x.org"), one("Bo", "b@x.org")},
		"mailto:ada@x.org":                 {one("", "ada@x.org")},
		"grace.example.org, joe@x.org":     {one("", "grace.example.org"), one("", "joe@x.org")},
		"Ada Example\nada@":                {one("", "Ada Example"), one("", "ada@")},
		`"never closed <a@x.org>, b@x.org`: {one("never closed", "a@x.org"), one("", "b@x.org")},
		"山田 太郎 <yamada@example.jp>":        {one("山田 太郎", "yamada@example.jp")},
	} {
		var got []string
		for _, a := range Addressees(list) {
			got = append(got, one(a.Name, a.Email))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", list, got, want)
		}
	}
}
