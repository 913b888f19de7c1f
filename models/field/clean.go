package field

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lectern/models/store"
)

func cleanLine(_ *Definition, text string) (string, error) {
	return strings.ReplaceAll(text, "\n", " "), nil
}

// separators separate several choices.
const separators = ";|\n"

func cleanChoice(d *Definition, text string) (string, error) {
	if option, found := d.option(text); found {
		return option, nil
	}
	return "", d.noOption(text)
}

func cleanChoices(d *Definition, text string) (string, error) {
	chosen := map[string]bool{}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		part = strings.TrimSpace(part)
		option, found := d.option(part)
		if !found && part != "" {
			return "", d.noOption(part)
		}
		chosen[option] = true
	}
	var values []string
	for _, option := range d.Options {
		if chosen[option] {
			values = append(values, option)
		}
	}
	return strings.Join(values, "\n"), nil
}

// option returns the option that a text means. Case, accents and width do not matter.
func (d *Definition) option(text string) (string, bool) {
	if slices.Contains(d.Options, text) {
		return text, true
	}
	name := store.Searchable(text)
	i := slices.IndexFunc(d.Options, func(option string) bool { return store.Searchable(option) == name })
	if i < 0 || name == "" {
		return "", false
	}
	return d.Options[i], true
}

// named is how many options an error message lists.
const named = 10

func (d *Definition) noOption(text string) error {
	options := strings.Join(d.Options[:min(named, len(d.Options))], ", ")
	if len(d.Options) > named {
		options += ", …"
	}
	return store.Invalidf(d.Key, "has no choice %q; there are: %s", shorten(text), options)
}

func shorten(text string) string {
	if letters := []rune(text); len(letters) > 50 {
		return string(letters[:50]) + "…"
	}
	return text
}

// These are the forms of a number, without spaces and signs.
var (
	plainNumber   = regexp.MustCompile(`^(\d+|\d*\.\d+)$`)
	commaNumber   = regexp.MustCompile(`^\d+,\d+$`)
	eitherNumber  = regexp.MustCompile(`^[1-9]\d{0,2},\d{3}$`)
	commasBetween = regexp.MustCompile(`^\d{1,3}((,\d{3}){2,}|(,\d{3})+\.\d+)$`)
	pointsBetween = regexp.MustCompile(`^\d{1,3}((\.\d{3}){2,}|(\.\d{3})+,\d+)$`)
)

// mostDigits is how many digits of a number every program keeps.
const mostDigits = 15

// cleanNumber parses a number as people write it: 1234.5, 1234,5, 1 234,5, 1,234.5. A single comma before three digits
// is refused as ambiguous.
func cleanNumber(d *Definition, text string) (string, error) {
	digits := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune("'’", r):
			return -1
		case r == '−':
			return '-'
		}
		return r
	}, norm.NFKC.String(text))
	unsigned := strings.TrimPrefix(digits, "-")
	sign := digits[:len(digits)-len(unsigned)]
	if sign == "" {
		unsigned = strings.TrimPrefix(unsigned, "+")
	}
	switch {
	case plainNumber.MatchString(unsigned):
	case eitherNumber.MatchString(unsigned):
		return "", store.Invalidf(d.Key, "can be read in two ways; write %s or %s",
			strings.Replace(unsigned, ",", "", 1), strings.Replace(unsigned, ",", ".", 1))
	case commaNumber.MatchString(unsigned):
		unsigned = strings.Replace(unsigned, ",", ".", 1)
	case commasBetween.MatchString(unsigned):
		unsigned = strings.ReplaceAll(unsigned, ",", "")
	case pointsBetween.MatchString(unsigned):
		unsigned = strings.Replace(strings.ReplaceAll(unsigned, ".", ""), ",", ".", 1)
	default:
		return "", store.Invalidf(d.Key, "must be a number, such as 1234.5")
	}
	whole, rest, _ := strings.Cut(unsigned, ".")
	whole, rest = strings.TrimLeft(whole, "0"), strings.TrimRight(rest, "0")
	switch {
	case len(whole)+len(rest) > mostDigits:
		return "", store.Invalidf(d.Key, "has more than %d digits", mostDigits)
	case whole == "" && rest == "":
		return "0", nil
	case whole == "":
		whole = "0"
	}
	if rest != "" {
		rest = "." + rest
	}
	return sign + whole + rest, nil
}

// These are the forms of a date.
var (
	yearFirst = regexp.MustCompile(`^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$`)
	dayFirst  = regexp.MustCompile(`^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$`)
	either    = regexp.MustCompile(`^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$`)
)

// cleanDate parses 2026-12-31, 31.12.2026, 2026年12月31日, and 12/31/2026 or 31/12/2026 if only one order is a date.
func cleanDate(d *Definition, text string) (string, error) {
	text = norm.NFKC.String(text)
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		return d.date(m[1], m[2], m[3])
	}
	if m := dayFirst.FindStringSubmatch(text); m != nil {
		return d.date(m[3], m[2], m[1])
	}
	m := either.FindStringSubmatch(text)
	if m == nil {
		return d.date("", "", "")
	}
	british, noBritish := d.date(m[3], m[2], m[1])
	american, noAmerican := d.date(m[3], m[1], m[2])
	switch {
	case noBritish != nil:
		return american, noAmerican
	case noAmerican != nil || british == american:
		return british, nil
	}
	return "", store.Invalidf(d.Key, "can be read in two ways; write %s or %s", british, american)
}

// Years in this range are supported by every database and browser.
const (
	firstYear = 1900
	lastYear  = 2999
)

func (d *Definition) date(year, month, day string) (string, error) {
	numbers := [3]int{}
	for i, part := range []string{year, month, day} {
		numbers[i], _ = strconv.Atoi(part) // what is no number becomes no date
	}
	t := time.Date(numbers[0], time.Month(numbers[1]), numbers[2], 0, 0, 0, 0, time.UTC)
	if t.Year() != numbers[0] || t.Month() != time.Month(numbers[1]) || t.Day() != numbers[2] || numbers[0] < firstYear ||
		numbers[0] > lastYear {
		return "", store.Invalidf(d.Key, "must be a date, such as 2026-12-31")
	}
	return t.Format(time.DateOnly), nil
}

// DateInWords returns a stored date as people write it, such as 31 December 2026; other values are returned as they
// are.
func DateInWords(value string) string {
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		return day.Format("2 January 2006")
	}
	return value
}

// bareAddress matches a web address without http://.
var bareAddress = regexp.MustCompile(`^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+\.?(:\d+)?([/?#].*)?$`)

func cleanURL(d *Definition, text string) (string, error) {
	if bareAddress.MatchString(text) {
		text = "https://" + text
	}
	return store.CleanURL(d.Key, text, store.MaxURL)
}

func cleanEmail(d *Definition, text string) (string, error) {
	_, host, _ := strings.Cut(text, "@")
	switch {
	case strings.Count(text, "@") > 1:
		return "", store.Invalidf(d.Key, "must be one e-mail address, without anything beside it")
	case !store.IsEmail(text):
		return "", store.Invalidf(d.Key, "must be an e-mail address, such as ana@example.org")
	case !strings.Contains(strings.Trim(host, "."), "."):
		return "", store.Invalidf(d.Key, "must have a dot in the part after @, as in ana@example.org")
	}
	return text, nil
}

// yesses and noes are words for yes and no in tables, folded for search.
var (
	yesses = strings.Fields("yes y true on 1 x ✓ ✔ ☑ ja j oui si sim sì tak t はい 是")
	noes   = strings.Fields("no n false off 0 - – — ✗ ✘ ☐ nein non nao nie nee f いいえ 否")
)

func cleanYesNo(d *Definition, text string) (string, error) {
	switch word := store.Searchable(text); {
	case slices.Contains(yesses, word):
		return Yes, nil
	case slices.Contains(noes, word):
		return No, nil
	}
	return "", store.Invalidf(d.Key, "must be yes or no")
}

func cleanFile(d *Definition, text string) (string, error) {
	if !store.IsID(text) {
		return "", store.Invalidf(d.Key, "must be a file that was uploaded; no text or table can carry one")
	}
	return text, nil
}
