package field

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"lectern/models/store"
)

// of returns a definition of a type, with choices where the type needs some.
func of(t Type) *Definition {
	d := &Definition{Key: "k", Label: "K", Type: t}
	if t.HasOptions() {
		d.Options = []string{"Small", "Médium", "Extra large", "L, M"}
	}
	return d
}

const uuid = "01890f3e-7a5b-7c3d-8e9f-0123456789ab"

func TestAValueHasOneForm(t *testing.T) {
	t.Parallel()
	for kind, values := range map[Type]map[string]string{
		Text: {"": "", "  ": "", " Ana ": "Ana", "two\r\nlines\rand\nmore": "two lines and more", "=1+1": "=1+1"},
		LongText: {" a\r\nb\rc\n": "a\nb\nc", strings.Repeat("a\r\n", 5000): strings.TrimSpace(strings.Repeat("a\n", 5000)),
			"": ""},
		Choice: {"Small": "Small", " small ": "Small", "medium": "Médium", "ＳＭＡＬＬ": "Small", "l, m": "L, M", "": ""},
		Choices: {"Small": "Small", "extra LARGE;small": "Small\nExtra large", "small | L, M |": "Small\nL, M",
			"Small\r\nSmall\nMedium": "Small\nMédium", ";;|": "", "": ""},
		Number: {"0": "0", "-0": "0", "007": "7", "1234.50": "1234.5", "+3": "3", ".5": "0.5", "-1,5": "-1.5", "0,125": "0.125",
			"1 234,5": "1234.5", "1\u202f234\u00a0567": "1234567", "1'234.50": "1234.5", "1,234.5": "1234.5",
			"1.234,5": "1234.5", "1,234,567": "1234567", "1.234.567": "1234567", "1.234": "1.234", "1234,567": "1234.567",
			"−3": "-3", "１２": "12", "": "", "000000000000000000001": "1", "123456789012345": "123456789012345"},
		Date: {"2026-12-31": "2026-12-31", "31.12.2026": "2026-12-31", "1.2.2026": "2026-02-01", "1. 2. 2026": "2026-02-01",
			"12/31/2026": "2026-12-31", "31/12/2026": "2026-12-31", "31-12-2026": "2026-12-31", "5/5/2026": "2026-05-05",
			"2026/1/2": "2026-01-02", "2026年12月31日": "2026-12-31", "２０２６-12-31": "2026-12-31", "2028-02-29": "2028-02-29",
			"2026-12-31 00:00:00": "2026-12-31", "2026-12-31T00:00:00.000Z": "2026-12-31", "": ""},
		URL: {"https://example.org/a?b=c": "https://example.org/a?b=c", "http://x": "http://x",
			"example.org": "https://example.org", "www.exämple.org/ana": "https://www.exämple.org/ana",
			"example.org:8080?x": "https://example.org:8080?x", "": ""},
		Email: {" Ana@Example.org ": "Ana@Example.org", "a@b.co.uk": "a@b.co.uk", "": ""},
		YesNo: {"yes": Yes, "Ja": Yes, "OUI": Yes, "sí": Yes, "Sim": Yes, "tak": Yes, "はい": Yes, "x": Yes, "1": Yes, "TRUE": Yes,
			"✓": Yes, "no": No, "Nein": No, "non": No, "não": No, "nie": No, "いいえ": No, "0": No, "-": No, "FALSE": No, "": ""},
		File: {uuid: uuid, "": ""},
	} {
		for text, want := range values {
			got, err := of(kind).Clean(text)
			if err != nil || got != want {
				t.Errorf("%s: %.60q becomes %.60q, %v; want %.60q", kind, text, got, err, want)
			}
		}
	}
}

func TestWhatIsNoneOfTheTypeSaysWhatToWrite(t *testing.T) {
	t.Parallel()
	const noNumber, noDate = "must be a number, such as 1234.5", "must be a date, such as 2026-12-31"
	for kind, values := range map[Type]map[string]string{
		Text:     {"a\x00": "contains a NUL character", "\xff": "is not valid UTF-8", strings.Repeat("é", 256): "is 256 characters long; at most 255 are allowed"},
		LongText: {strings.Repeat("é", 30_000): "is 30000 characters long; at most 10000 are allowed"},
		Choice: {"Huge": `has no choice "Huge"; there are: Small, Médium, Extra large, L, M`,
			"Small;Huge": `has no choice "Small;Huge"; there are: Small, Médium, Extra large, L, M`, "\u0301": "has no choice \"\u0301\"; there are: Small, Médium, Extra large, L, M"},
		Choices: {"Small; " + strings.Repeat("x", 51): `has no choice "` + strings.Repeat("x", 50) + `…"; there are: Small, Médium, Extra large, L, M`,
			"\u0301": "has no choice \"\u0301\"; there are: Small, Médium, Extra large, L, M"},
		Number: {"1,234": "can be read in two ways; write 1234 or 1.234", "twelve": noNumber, "1e5": noNumber, "1.2.3": noNumber,
			"1,2,3": noNumber, "--1": noNumber, "+-1": noNumber, ".": noNumber, "12%": noNumber, "0x10": noNumber,
			"1234567890123456": "has more than 15 digits", "٣": noNumber, "-": noNumber},
		Date: {"12/05/2026": "can be read in two ways; write 2026-05-12 or 2026-12-05", "5-12-2026": "can be read in two ways; write 2026-12-05 or 2026-05-12",
			"2026-02-29": noDate, "30.2.2026": noDate, "13/13/2026": noDate, "31.12.26": noDate, "1899-01-01": noDate, "3000-01-01": noDate,
			"46387": noDate, "tomorrow": noDate, "2026-12-31 12:00": noDate, "0/0/2026": noDate},
		URL: {"javascript:alert(1)": "must be a web address that starts with http:// or https://", "ana": "must be a web address that starts with http:// or https://",
			"a@example.org": "must be a web address that starts with http:// or https://", "https://u:p@example.org": "must not contain a user name or password",
			"example.org/" + strings.Repeat("a", 1985): "is 2005 characters long; at most 2000 are allowed"},
		Email: {"bruno@silvaworks": "must have a dot in the part after @, as in ana@example.org", "bruno": "must be an e-mail address, such as ana@example.org",
			"a@b.c, d@e.f": "must be one e-mail address, without anything beside it", "Ana <a@b.c>": "must be an e-mail address, such as ana@example.org",
			"a@b.": "must have a dot in the part after @, as in ana@example.org", strings.Repeat("a", 250) + "@b.cd": "is 255 characters long; at most 254 are allowed"},
		YesNo: {"maybe": "must be yes or no", "2": "must be yes or no"},
		File:  {"cv.pdf": "must be a file that was uploaded; no text or table can carry one"},
	} {
		for text, want := range values {
			got, err := of(kind).Clean(text)
			if store.KindOf(err) != store.Invalid || store.AsError(err).Fields[0] != (store.FieldError{Field: "k", Message: want}) || got != "" {
				t.Errorf("%s: %.60q becomes %.60q, %v; want %s", kind, text, got, err, want)
			}
		}
	}
	many := of(Choice)
	many.Options = strings.Fields("a b c d e f g h i j k l")
	if _, err := many.Clean("x"); err == nil || !strings.HasSuffix(err.Error(), "there are: a, b, c, d, e, f, g, h, i, j, …") {
		t.Error(err)
	}
}

func TestARequiredFieldHasAValue(t *testing.T) {
	t.Parallel()
	for _, kind := range Types() {
		d := of(kind)
		d.Required = true
		for _, nothing := range []string{"", "  ", "\r\n"} {
			if _, err := d.Clean(nothing); err == nil || err.Error() != "k must not be empty" {
				t.Errorf("%s takes %q: %v", kind, nothing, err)
			}
		}
	}
	for kind, nothing := range map[Type]string{Text: "\u200b", LongText: "\u2800", Choices: ";|"} {
		d := of(kind)
		d.Required = true
		if _, err := d.Clean(nothing); err == nil {
			t.Errorf("%s takes %q for something", kind, nothing)
		}
	}
}

func TestALengthCanBeLowered(t *testing.T) {
	t.Parallel()
	d := of(LongText)
	d.MaxLength = 5
	if _, err := d.Clean("é\r\né\r\né"); err != nil {
		t.Error(err)
	}
	if _, err := d.Clean("123456"); err == nil || err.Error() != "k is 6 characters long; at most 5 are allowed" {
		t.Error(err)
	}
	if got := d.Input().MaxLength; got != 5 {
		t.Error(got)
	}
}

func TestACellIsTakenBack(t *testing.T) {
	t.Parallel()
	for kind, values := range map[Type]map[string]string{
		Choices: {"Small\nL, M": "Small; L, M", "Small": "Small"}, YesNo: {Yes: "Yes", No: "No"}, Number: {"1.234": "1.234", "-2": "-2"},
		Date: {"2026-12-05": "2026-12-05"}, LongText: {"a\nb; c": "a\nb; c"}, Choice: {"L, M": "L, M"},
	} {
		for value, cell := range values {
			d := of(kind)
			if got := d.Cell(value); got != cell {
				t.Errorf("%s: %q is written %q, want %q", kind, value, got, cell)
			}
			if got, err := d.Clean(cell); got != value || err != nil {
				t.Errorf("%s: %q is read as %q, %v", kind, cell, got, err)
			}
		}
	}
	for _, kind := range Types() {
		if kind.InTables() == (kind == File) || of(kind).Cell("") != "" {
			t.Error(kind)
		}
	}
}

func TestSeveralValuesOfAForm(t *testing.T) {
	t.Parallel()
	d := of(Choices)
	value, err := d.Clean("L, M\nSmall")
	if err != nil || value != "Small\nL, M" || !slices.Equal(d.Split(value), []string{"Small", "L, M"}) {
		t.Errorf("%q, %v", value, err)
	}
	if some := d.Split(""); some != nil {
		t.Errorf("%q", some)
	}
	d = of(LongText)
	if value, err := d.Clean("a\r\nb"); value != "a\nb" || err != nil || len(d.Split(value)) != 1 {
		t.Errorf("%q, %v", value, err)
	}
}

func TestWhatAsksForAValue(t *testing.T) {
	t.Parallel()
	options := []Option{{"Small", "Small"}, {"Médium", "Médium"}, {"Extra large", "Extra large"}, {"L, M", "L, M"}}
	for kind, want := range map[Type]Input{
		Text: {Control: OneLine, Type: "text", MaxLength: 255}, LongText: {Control: Lines, MaxLength: 10_000},
		Choice: {Control: Select, Options: options}, Choices: {Control: Checks, Options: options, Multiple: true},
		Number: {Control: OneLine, Type: "number", Step: "any"}, Date: {Control: OneLine, Type: "date"},
		URL: {Control: OneLine, Type: "url", MaxLength: 2000}, Email: {Control: OneLine, Type: "email", MaxLength: 254},
		YesNo: {Control: Radios, Options: []Option{{Yes, "Yes"}, {No, "No"}}}, File: {Control: FileInput},
	} {
		d := of(kind)
		if got := d.Input(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
		d.Required, want.Required = true, true
		if got := d.Input(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
		if kind.Label() == "" || !slices.Contains(Types(), kind) {
			t.Errorf("%s is not offered", kind)
		}
	}
	if len(Types()) != 10 || Type("colour").Label() != "" || Type("").HasOptions() || Type("").HasLength() {
		t.Error(Types())
	}
}

func TestADefinitionIsChecked(t *testing.T) {
	t.Parallel()
	good := func() *Definition {
		return &Definition{Key: " size ", Label: " T-Shirt ", Help: " h ", Type: Choices, Options: []string{" S ", "M"}}
	}
	d := good()
	if err := d.Check(); err != nil || d.Key != "size" || d.Label != "T-Shirt" || d.Help != "h" || d.Options[0] != "S" {
		t.Errorf("%+v, %v", d, err)
	}
	for want, change := range map[string]func(*Definition){
		"key must not be empty":                                                            func(d *Definition) { d.Key = " " },
		"key is 256 characters long; at most 255 are allowed":                              func(d *Definition) { d.Key = strings.Repeat("k", 256) },
		"label must not be empty":                                                          func(d *Definition) { d.Label = "\u200b" },
		"help is 1001 characters long; at most 1000 are allowed":                           func(d *Definition) { d.Help = strings.Repeat("h", 1001) },
		"type is none that there is":                                                       func(d *Definition) { d.Type = "colour" },
		"options must not be empty: there is nothing to choose from":                       func(d *Definition) { d.Options = nil },
		"options are 101; at most 100 are allowed":                                         func(d *Definition) { d.Options = make([]string, 101) },
		"options are for choices alone":                                                    func(d *Definition) { d.Type = Text },
		"options[1] must not be empty":                                                     func(d *Definition) { d.Options[1] = "" },
		"options name \"s\" twice; take one of the two out":                                func(d *Definition) { d.Options[1] = "s" },
		"options[0] must be one line without ; and |, which stand between several choices": func(d *Definition) { d.Options[0] = "a;b" },
		"options[1] must be one line without ; and |, which stand between several choices": func(d *Definition) { d.Options[1] = "a\rb" },
		"max_length is for texts alone":                                                    func(d *Definition) { d.MaxLength = 3 },
		"max_length must be from 1 to 255":                                                 func(d *Definition) { d.Type, d.Options, d.MaxLength = Text, nil, 256 },
		"max_length must be from 1 to 10000":                                               func(d *Definition) { d.Type, d.Options, d.MaxLength = LongText, nil, -1 },
		"key must not be empty (and 1 more)":                                               func(d *Definition) { d.Key, d.Label = "", "" },
	} {
		d := good()
		change(d)
		if err := d.Check(); store.KindOf(err) != store.Invalid || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	options := []string{" a "}
	d = &Definition{Key: "k", Label: "l", Type: Choice, Options: options}
	if d.Check() != nil || options[0] != " a " {
		t.Errorf("the caller's options became %q", options)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "Small;Médium", "1,234.5", "-.0", "12/31/2026", "2026年1月2日", "example.org", "https://a b", "a@b.c", "Ja",
		"\u0301", "a\r\nb", "＝１", "\xff", "..org", uuid} {
		for i := range kinds {
			f.Add(seed, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		d := of(Types()[int(kind)%len(kinds)])
		value, err := d.Clean(text)
		if err != nil {
			if store.KindOf(err) != store.Invalid || value != "" {
				t.Fatal(value, err)
			}
			return
		}
		for how, again := range map[string]string{"kept": value, "a cell": d.Cell(value), "a form": strings.ReplaceAll(value, "\n", "\r\n")} {
			if got, err := d.Clean(again); got != value || err != nil {
				t.Fatalf("%s: %q becomes %q, which as %s becomes %q, %v", d.Type, text, value, how, got, err)
			}
		}
		if got, err := d.Clean(strings.Join(d.Split(value), "\n")); got != value || err != nil {
			t.Fatalf("%s: %q is split into %q, %v", d.Type, value, d.Split(value), err)
		}
	})
}
