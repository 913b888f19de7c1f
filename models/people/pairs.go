package people

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"lectern/models/store"
)

// Strength is how likely two contacts are one person.
type Strength int

const (
	Possibly Strength = iota + 1
	Likely
	VeryLikely
)

// Reason is a reason why two contacts may be one person.
type Reason string

const (
	SameName           Reason = "name"
	SameNameAndCompany Reason = "name and company"
	SameEmail          Reason = "e-mail" // without dots, what follows a plus, and case
	SamePhone          Reason = "phone"  // the last digits are the same
)

// weights are the strengths of reasons, which weigh adds up.
var weights = map[Reason]int{SameName: 2, SameNameAndCompany: 2, SamePhone: 2, SameEmail: 4}

// Lookalike is a contact with the fields that suggestions compare.
type Lookalike struct {
	ID, FullName, Email, CompanyName, JobTitle, Phone string
	CompanyKey                                        string
	HasPlace                                          bool // has an account, proven or not, and so typed the name
}

// Suggestion is a pair of contacts that may be one person. First is the older one.
type Suggestion struct {
	First, Second *Lookalike
	Reasons       []Reason // in the order of their weights
	Strength      Strength
}

// Crowd is a group of people with one thing in common, too many for all of them to be paired: the oldest is suggested
// with some of the others at a time.
type Crowd struct {
	Reason Reason
	Name   string // of the oldest
	People int
}

// Suggestions holds the pairs of a directory, the strongest first, then by name.
type Suggestions struct {
	Pairs  []*Suggestion
	Crowds []Crowd // the largest first
}

const (
	// pairedAll is the largest number of people with one thing in common who are all paired with each other.
	pairedAll = 6
	// crowdPairs is with how many others the oldest of a crowd is suggested at a time. A name of thousands makes no
	// more pairs than this; the next ones follow as these are merged or dismissed.
	crowdPairs = 20
)

// Suggestions returns the people of this directory who look alike and were not dismissed. It puts contacts into blocks
// by what they may have in common, and compares only those of one block. The pairs of a block are bounded, so the work
// grows with the number of contacts and not with its square.
func (d *Directory) Suggestions(ctx context.Context) (*Suggestions, error) {
	var people []*Lookalike
	if err := d.Listed(d.Read(ctx)).Table("contacts").Where("erased_at IS NULL").
		Select("id, full_name, email, company_name, job_title, phone, company_key, " +
			"EXISTS (SELECT 1 FROM speaker_accounts a WHERE a.contact_id = contacts.id) AS has_place").
		Find(&people).Error; err != nil {
		return nil, err
	}
	slices.SortFunc(people, func(a, b *Lookalike) int { return cmp.Compare(a.ID, b.ID) }) // ids grow with time
	var rows []*DismissedPair
	if err := d.Read(ctx).Where("organization_id = ?", d.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	dismissed := make(map[[2]string]bool, len(rows))
	for _, row := range rows {
		dismissed[[2]string{row.FirstID, row.SecondID}] = true
	}
	return suggest(people, dismissed), nil
}

// blockKey is a value that people may have in common.
type blockKey struct {
	reason Reason
	value  string
}

// suggest pairs people, who must be sorted by age.
func suggest(people []*Lookalike, dismissed map[[2]string]bool) *Suggestions {
	blocks := map[blockKey][]*Lookalike{}
	var order []blockKey
	for _, p := range people {
		for _, key := range p.keys() {
			if len(blocks[key]) == 0 {
				order = append(order, key)
			}
			blocks[key] = append(blocks[key], p)
		}
	}
	out, pairs := &Suggestions{}, map[[2]string]*Suggestion{}
	for _, key := range order {
		block := blocks[key]
		if len(block) < 2 {
			continue
		}
		if len(block) > pairedAll {
			out.Crowds = append(out.Crowds, Crowd{key.reason, block[0].FullName, len(block)})
		}
		pairsOf(block, dismissed, func(ids [2]string, a, b *Lookalike) {
			if pairs[ids] == nil {
				pairs[ids] = &Suggestion{First: a, Second: b}
				out.Pairs = append(out.Pairs, pairs[ids])
			}
			pairs[ids].Reasons = append(pairs[ids].Reasons, key.reason)
		})
	}
	for _, p := range out.Pairs {
		p.weigh()
	}
	slices.SortStableFunc(out.Pairs, func(a, b *Suggestion) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), store.CompareNames(a.First.FullName, a.First.ID,
			b.First.FullName, b.First.ID), cmp.Compare(a.Second.ID, b.Second.ID))
	})
	slices.SortStableFunc(out.Crowds, func(a, b Crowd) int { return cmp.Compare(b.People, a.People) })
	return out
}

// pairsOf calls pair for each pair of a block to be suggested.
func pairsOf(block []*Lookalike, dismissed map[[2]string]bool, pair func([2]string, *Lookalike, *Lookalike)) {
	firsts, most := block, len(block)*len(block)
	if len(block) > pairedAll {
		firsts, most = block[:1], crowdPairs
	}
	for i, a := range firsts {
		for _, b := range block[i+1:] {
			first, second := ordered(a.ID, b.ID)
			if dismissed[[2]string{first, second}] {
				continue
			}
			if pair([2]string{first, second}, a, b); most == 1 {
				return
			}
			most--
		}
	}
}

// weigh sets the strength of a pair by its reasons. The same name at two different companies counts less than the name
// alone, and so does a name that somebody with a place may have typed.
func (s *Suggestion) weigh() {
	slices.SortStableFunc(s.Reasons, func(a, b Reason) int { return cmp.Compare(weights[b], weights[a]) })
	if slices.Contains(s.Reasons, SameNameAndCompany) {
		s.Reasons = slices.DeleteFunc(s.Reasons, func(r Reason) bool { return r == SameName })
	}
	sum := 0
	for _, r := range s.Reasons {
		sum += weights[r]
	}
	company := s.First.CompanyKey != "" && s.Second.CompanyKey != ""
	typed := (s.First.HasPlace || s.Second.HasPlace) && sum < weights[SameEmail] &&
		!slices.Contains(s.Reasons, SamePhone)
	switch {
	case typed:
		s.Strength = Possibly
	case sum >= weights[SameEmail] || slices.Contains(s.Reasons, SameNameAndCompany):
		s.Strength = VeryLikely
	case slices.Contains(s.Reasons, SameName) && company:
		s.Strength = Possibly
	default:
		s.Strength = Likely
	}
}

// keys returns the blocks that somebody is in.
func (p *Lookalike) keys() (keys []blockKey) {
	if name := nameKey(p.FullName); name != "" {
		keys = append(keys, blockKey{SameName, name})
		if p.CompanyKey != "" {
			keys = append(keys, blockKey{SameNameAndCompany, name + "\n" + p.CompanyKey})
		}
	}
	if email := mailboxKey(p.Email); email != "" {
		keys = append(keys, blockKey{SameEmail, email})
	}
	if phone := phoneKey(p.Phone); phone != "" {
		keys = append(keys, blockKey{SamePhone, phone})
	}
	return keys
}

// nameKey returns a name without case, accents and punctuation, with its words sorted; "" for a single word of one or
// two letters.
func nameKey(name string) string {
	words := strings.FieldsFunc(store.Searchable(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	if len(words) == 0 || len(words) == 1 && len([]rune(words[0])) < 3 {
		return ""
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// mailboxKey returns an address without what many services ignore: case, the dots before the @, and what follows a
// plus.
func mailboxKey(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return ""
	}
	local, _, _ := strings.Cut(email[:at], "+")
	if local = strings.ReplaceAll(local, ".", ""); local == "" {
		return ""
	}
	return store.Fold(local + email[at:])
}

// phoneDigits is how many of a number's last digits are compared, so that codes of countries and areas make no
// difference; leastDigits is how many a number needs to be compared.
const phoneDigits, leastDigits = 9, 7

func phoneKey(phone string) string {
	phone = store.Searchable(phone)
	if strings.ContainsFunc(phone, unicode.IsLetter) { // an extension, which may be another person's
		return ""
	}
	digits := []rune(strings.TrimLeft(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, phone), "0"))
	if len(digits) < leastDigits {
		return ""
	}
	return string(digits[max(0, len(digits)-phoneDigits):])
}
