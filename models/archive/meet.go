package archive

import (
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// meetAll matches a table's rows with what is here: records that the organization has are reused, and records of the
// event get another id if theirs is taken.
func (in *arriving) meetAll(tx *store.Tx, t *table) error {
	columns, ctx := t.archived(), tx.Statement.Context
	switch t.name {
	case "users":
		return in.inChunks(ctx, t, func(lines []*namedRow) error { return in.meetStaff(tx, lines) })
	case "contacts":
		if err := people.OwnBoards(tx, in.organization.ID); err != nil { // stages are locked before people, and matched after
			return err
		}
		if err := in.inChunks(ctx, t, func(lines []*namedRow) error { return in.meetPeople(tx, lines) }); err != nil {
			return err
		}
		return in.holdPeople(tx)
	case "contact_fields":
		return in.inChunks(ctx, t, func(lines []*namedRow) error { return in.meetFields(tx, lines) })
	case "sourcing_stages":
		return in.inChunks(ctx, t, func(lines []*namedRow) error { return in.meetStages(tx, lines) })
	}
	if at(columns, "id") < 0 {
		return nil
	}
	return in.inChunks(ctx, t, func(lines []*namedRow) error { return in.giveWay(tx, t, "id", lines) })
}

// giveWay gives new ids to rows whose id is taken here.
func (in *arriving) giveWay(tx *store.Tx, t *table, key string, lines []*namedRow) error {
	var ids, taken []string
	for _, l := range lines {
		if id := l.get(key); in.ids[id] == "" {
			ids = append(ids, id)
		}
	}
	if err := tx.Table(t.name).Where(key+" IN ?", ids).Pluck(key, &taken).Error; err != nil {
		return err
	}
	for _, id := range taken {
		in.ids[id] = t.fresh()
		in.done.Renamed++
	}
	return nil
}

// mapTo records that a row of the archive is a record here.
func (in *arriving) mapTo(id, here string) {
	if in.here[id] = true; id != here {
		in.ids[id] = here
	}
}

// meetStaff matches accounts by their addresses.
func (in *arriving) meetStaff(tx *store.Tx, lines []*namedRow) error {
	var known []*staff.User
	if err := tx.Select("id, email_key, organization_id").Where("email_key IN ?", keysOf(lines, email)).
		Find(&known).Error; err != nil {
		return err
	}
	var rest []*namedRow
	for _, l := range lines {
		i := slices.IndexFunc(known, func(u *staff.User) bool { return u.EmailKey == email(l) })
		switch {
		case i < 0:
			rest = append(rest, l)
		case known[i].OrganizationID != in.organization.ID:
			return refused("%s is staff of another organization here.", l.get("email"))
		default:
			in.mapTo(l.get("id"), known[i].ID)
		}
	}
	return in.giveWay(tx, tableOf("users"), "id", rest)
}

// email returns the address of a row, folded for comparison.
func email(l *namedRow) string { return store.Fold(l.get("email")) }

func keysOf(lines []*namedRow, key func(*namedRow) string) (all []string) {
	for _, l := range lines {
		if k := key(l); k != "" {
			all = append(all, k)
		}
	}
	return all
}

// peopleHere returns the contacts here for some rows, matched by address, else by id; nil for rows without one.
// Somebody who was erased here comes as a new person.
func peopleHere(db *gorm.DB, organizationID string, lines []*namedRow) ([]*models.Contact, error) {
	byEmail, err := models.IDsByEmail(db, organizationID, keysOf(lines, email))
	if err != nil {
		return nil, err
	}
	ids := keysOf(lines, func(l *namedRow) string { return l.get("id") })
	for _, id := range byEmail {
		ids = append(ids, id)
	}
	var known []*models.Contact
	if err := db.Select("id, full_name, erased_at").Where("organization_id = ? AND id IN ?", organizationID, ids).
		Find(&known).Error; err != nil {
		return nil, err
	}
	here := store.ByKey(known, func(c *models.Contact) string { return c.ID })
	found := make([]*models.Contact, len(lines))
	for i, l := range lines {
		if found[i] = here[byEmail[email(l)]]; found[i] == nil {
			if c := here[l.get("id")]; c != nil && (c.ErasedAt == nil || !l.isNull("erased_at")) {
				found[i] = c
			}
		}
	}
	return found, nil
}

// isOneOf counts a matched contact; nil is none. It answers Invalid if another person of the archive matches it too.
func (in *arriving) isOneOf(c *models.Contact, l *namedRow) error {
	if c == nil {
		return nil
	}
	if other := in.whose[c.ID]; other != "" {
		return refused("%s and %s of the archive are one person here, %s. Merge them where they come from, "+
			"or take an address from %s.", other, l.get("full_name"), c.FullName, c.FullName)
	}
	in.whose[c.ID] = l.get("full_name")
	in.done.Known++
	return nil
}

// meetPeople matches the people who are here.
func (in *arriving) meetPeople(tx *store.Tx, lines []*namedRow) error {
	here, err := peopleHere(tx.DB, in.organization.ID, lines)
	if err != nil {
		return err
	}
	var rest []*namedRow
	for i, l := range lines {
		c := here[i]
		if c == nil {
			rest = append(rest, l)
			continue
		}
		if err := in.isOneOf(c, l); err != nil {
			return err
		}
		if in.whose[c.ID] != c.FullName {
			in.other = append(in.other, c.ID)
		}
		in.mapTo(l.get("id"), c.ID)
	}
	return in.giveWay(tx, tableOf("contacts"), "id", rest)
}

// holdPeople locks the matched contacts against merging and erasing.
func (in *arriving) holdPeople(tx *store.Tx) error {
	var all []string
	for id := range in.whose {
		all = append(all, id)
	}
	slices.Sort(all)
	for some := range slices.Chunk(all, 500) {
		var held []string
		if err := models.KeyShare(tx).Model(&models.Contact{}).Where("id IN ?", some).Order("id").
			Pluck("id", &held).Error; err != nil {
			return err
		}
		if len(held) < len(some) {
			return store.Outdated("Somebody was merged meanwhile. Bring the archive in once more.")
		}
	}
	return nil
}

// meetFields matches the organization's own fields: by key, then by label.
func (in *arriving) meetFields(tx *store.Tx, lines []*namedRow) error {
	var known []*models.OwnField
	if err := models.KeyShare(tx).Where("organization_id = ?", in.organization.ID).Order("key").
		Find(&known).Error; err != nil {
		return err
	}
	var rest []*namedRow
	for _, l := range lines {
		same := slices.IndexFunc(known, func(f *models.OwnField) bool { return f.Key == l.get("key") })
		called := slices.IndexFunc(known, func(f *models.OwnField) bool { return f.LabelKey == l.get("label_key") })
		found := max(same, called)
		if same >= 0 {
			found = same
		}
		switch {
		case found < 0:
			rest = append(rest, l)
		case string(known[found].Type) != l.get("type"):
			return refused("The field %q of people holds something else here than in the archive. "+
				"Call it otherwise here, then bring the archive in.", l.get("label"))
		default:
			in.mapTo(l.get("key"), known[found].Key)
		}
	}
	return in.giveWay(tx, tableOf("contact_fields"), "key", rest)
}

// meetStages matches the stages of the sourcing board: by id, then by name.
func (in *arriving) meetStages(tx *store.Tx, lines []*namedRow) error {
	var known []*people.Stage
	if err := tx.Where("organization_id = ?", in.organization.ID).Order("position, id").Find(&known).Error; err != nil {
		return err
	}
	var rest []*namedRow
	for _, l := range lines {
		i := slices.IndexFunc(known, func(s *people.Stage) bool { return s.ID == l.get("id") })
		if i < 0 {
			i = slices.IndexFunc(known, func(s *people.Stage) bool {
				return store.Searchable(s.Name) == store.Searchable(l.get("name")) && string(s.Kind) == l.get("kind")
			})
		}
		if i < 0 {
			rest = append(rest, l)
			continue
		}
		in.mapTo(l.get("id"), known[i].ID)
	}
	return in.giveWay(tx, tableOf("sourcing_stages"), "id", rest)
}
