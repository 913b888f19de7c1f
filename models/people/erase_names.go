package people

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// knownBy is by what texts mean somebody: their addresses and their names, of today and from before, where these mean
// nobody else. A name of one word may be a word like any other.
type knownBy struct {
	names, addresses []string
	until            map[string]store.Time // of what they are not known by any more: what is written later means something else
}

func (k knownBy) isEmpty() bool { return len(k.names)+len(k.addresses) == 0 }

// at is by what a text of a moment means them.
func (k knownBy) at(moment store.Time) (then knownBy) {
	isLater := func(name string) bool {
		until, isFormer := k.until[name]
		return isFormer && moment.After(until.Time)
	}
	then.names = slices.DeleteFunc(slices.Clone(k.names), isLater)
	then.addresses = slices.DeleteFunc(slices.Clone(k.addresses), isLater)
	return then
}

func (e *eraser) knownBy() (known knownBy, err error) {
	keys, err := callKeys(e.tx, e.contact)
	if err != nil {
		return known, err
	}
	was := &former{addresses: map[string]bool{}, names: map[string]bool{}, until: map[string]store.Time{}}
	for _, key := range keys {
		was.addresses[key] = true
	}
	was.said(map[string]any{"first_name": e.contact.FirstName, "last_name": e.contact.LastName, "email": e.contact.Email})
	lines, err := e.lines()
	if err != nil {
		return known, err
	}
	for _, line := range slices.Backward(lines) {
		was.said(store.ReadFacts(line.After))
		was.replaced = &line.CreatedAt
		was.said(store.ReadFacts(line.Before))
	}
	known.until = was.until
	if known.addresses, err = e.theirAddresses(was.addresses); err != nil {
		return known, err
	}
	known.names, err = e.theirNames(was.names)
	return known, err
}

// former gathers names and addresses of somebody from what the activity tells of them, the latest first.
type former struct {
	addresses, names map[string]bool
	until            map[string]store.Time
	replaced         *store.Time // when the next one came; nil of today's
	first, last      string      // as they were at the time
}

// note keeps a name or an address, and until when it was theirs the last time.
func (w *former) note(all map[string]bool, name string) {
	if w.replaced != nil && !all[name] {
		w.until[name] = *w.replaced
	}
	all[name] = true
}

// said takes one side of a line, which tells of what changed alone; and what is nested in it, of who was merged.
func (w *former) said(facts map[string]any) {
	for _, value := range facts {
		if more, is := value.(map[string]any); is {
			then := *w
			then.first, then.last = "", ""
			then.said(more)
		}
	}
	if email, _ := facts["email"].(string); email != "" {
		w.note(w.addresses, email)
	}
	if first, is := facts["first_name"].(string); is {
		w.first = first
	}
	if last, is := facts["last_name"].(string); is {
		w.last = last
	}
	if name := strings.TrimSpace(w.first + " " + w.last); strings.Contains(name, " ") { // of several words
		w.note(w.names, name)
	}
}

// theirAddresses are those that are nobody else's by now, of the staff neither.
func (e *eraser) theirAddresses(all map[string]bool) (theirs []string, err error) {
	addresses := slices.Sorted(maps.Keys(all))
	keys := store.Map(addresses, store.Fold)
	owners, err := models.IDsByEmail(e.tx.DB, e.ID, keys)
	if err != nil {
		return nil, err
	}
	var staff []string
	err = e.tx.Table("users").Where("organization_id = ? AND email_key IN ?", e.ID, keys).Pluck("email_key", &staff).Error
	for i, address := range addresses {
		isStaff := address != e.contact.Email && slices.Contains(staff, keys[i])
		if owner := owners[keys[i]]; !isStaff && (owner == "" || owner == e.contact.ID) {
			theirs = append(theirs, address)
		}
	}
	return theirs, err
}

// theirNames are those that nobody else has, the longest first: one may begin with another.
func (e *eraser) theirNames(all map[string]bool) (theirs []string, err error) {
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	keys := store.Map(names, store.Fold)
	var namesakes []string
	err = e.tx.Model(&models.Contact{}).Where("organization_id = ? AND name_key IN ? AND id <> ?", e.ID, keys, e.contact.ID).
		Pluck("name_key", &namesakes).Error
	for i, name := range names {
		if !slices.Contains(namesakes, keys[i]) {
			theirs = append(theirs, name)
		}
	}
	return theirs, err
}

// in is the condition of rows of which one of some columns may mean somebody.
func (k knownBy) in(columns ...string) (condition string, values []any) {
	ways := []string{"1 = 0"}
	for _, column := range columns {
		for _, name := range k.names {
			ways, values = append(ways, models.Contains(column)), append(values, store.LikePattern(name))
		}
		for _, address := range k.addresses {
			ways = append(ways, models.Contains("lower("+column+")"))
			values = append(values, store.LikePattern(strings.ToLower(address)))
		}
	}
	return "(" + strings.Join(ways, " OR ") + ")", values
}

// each is all of it, changed, to look for.
func (k knownBy) each(change func(string) string) (changed knownBy) {
	for _, name := range k.names {
		changed.names = append(changed.names, change(name))
	}
	for _, address := range k.addresses {
		changed.addresses = append(changed.addresses, change(address))
	}
	return changed
}
