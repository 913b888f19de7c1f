package models

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// someTitles is how many of those that need something are named.
const someTitles = 3

// addTitles names some of the sessions that need something, each in the order of the list that it leads to. What is
// in one room is not named: finding that takes a pass over the programme, and the days say where it is.
func (p *Programme) addTitles(ctx context.Context, d *Dashboard) error {
	var parts []string
	var values []any
	for _, n := range needs {
		for _, abstract := range []bool{true, false} {
			if n.need == NeedsRoom || n.need == NeedsPerson || d.Needs[Waiting{n.need, abstract}] == 0 {
				continue
			}
			kind := strconv.FormatBool(abstract)
			parts = append(parts, "SELECT * FROM (SELECT '"+string(n.need)+"' AS need, is_abstract, title FROM sessions "+
				"WHERE event_id = ? AND deleted_at IS NULL AND is_abstract = "+kind+" AND "+n.condition+
				" ORDER BY updated_at DESC, id DESC LIMIT "+strconv.Itoa(someTitles)+") "+string(n.need)+"_"+kind)
			values = append(values, slices.Repeat([]any{p.event.ID}, 1+strings.Count(n.condition, "?"))...)
		}
	}
	d.Titles = map[Waiting][]string{}
	if len(parts) == 0 {
		return nil
	}
	var rows []struct {
		Need       Need
		IsAbstract bool
		Title      string
	}
	err := p.read(ctx).Raw(strings.Join(parts, " UNION ALL "), values...).Scan(&rows).Error
	for _, row := range rows {
		of := Waiting{row.Need, row.IsAbstract}
		d.Titles[of] = append(d.Titles[of], row.Title)
	}
	return err
}
