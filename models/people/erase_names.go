package people

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// identifiers holds the texts that mean somebody: present and former addresses and names that mean nobody else. Names of
// one word are left out, since they may be ordinary words.
type identifiers struct {
	names, addresses []string
	until            map[string]store.Time // when a name or an address was given up: later texts mean something else by it
}

func (k identifiers) isEmpty() bool { return len(k.names)+len(k.addresses) == 0 }

// at returns the texts that meant the person at a moment.
func (k identifiers) at(moment store.Time) (then identifiers) {
	isLater := func(name string) bool {
		until, isFormer := k.until[name]
		return isFormer && moment.After(until.Time)
	}
	then.names = slices.DeleteFunc(slices.Clone(k.names), isLater)
	then.addresses = slices.DeleteFunc(slices.Clone(k.addresses), isLater)
	return then
}

func (e *eraser) findIdentifiers() (known identifiers, err error) {
	keys, err := callKeys(e.tx, e.contact)
	if err != nil {
		return known, err
	}
	was := &nameHistory{addresses: map[string]bool{}, names: map[string]bool{}, until: map[string]store.Time{}}
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

// nameHistory collects somebody's names and addresses from their activity, the latest first.
type nameHistory struct {
	addresses, names map[string]bool
	until            map[string]store.Time
	replaced         *store.Time // when the next value replaced these; nil for the present ones
	first, last      string      // the name at that time
}

// note adds a name or an address, and when it was given up the last time.
func (w *nameHistory) note(all map[string]bool, name string) {
	if w.replaced != nil && !all[name] {
		w.until[name] = *w.replaced
	}
	all[name] = true
}

// said reads one side of an activity, which has only what changed, and the people nested in it, who were merged.
func (w *nameHistory) said(facts map[string]any) {
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
	if name := strings.TrimSpace(w.first + " " + w.last); strings.Contains(name, " ") { // only names of several words
		w.note(w.names, name)
	}
}

// theirAddresses returns the addresses that belong to nobody else now, nor to a member of staff.
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

// theirNames returns the names that nobody else has, the longest first: one may begin with another.
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

// in returns the condition for rows with a column that may mean the person.
func (k identifiers) in(columns ...string) (condition string, values []any) {
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

// each returns the texts changed by a function, to search for them in another form.
func (k identifiers) each(change func(string) string) (changed identifiers) {
	for _, name := range k.names {
		changed.names = append(changed.names, change(name))
	}
	for _, address := range k.addresses {
		changed.addresses = append(changed.addresses, change(address))
	}
	return changed
}
