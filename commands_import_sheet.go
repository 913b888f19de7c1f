package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/sheet"
)

func importSheetCommand() *cobra.Command {
	var event, name string
	var columns []string
	var check bool
	cmd := &cobra.Command{Use: "sheet FILE",
		Short: "Import sessions from a table, CSV or XLSX, or bring what changed there since",
		Long: `Import sessions from a table, CSV or XLSX, with a row for each session or for each of its speakers. The headings
say what its columns hold: id, title, description, status, track, format, level, tags, room, date, start, end, minutes,
speakers, email, first name, last name, company, job title, biography, photo. What else there is becomes answers of the
submissions. Dates and times are those of the event's clock; tracks and rooms that are not there are made.

Imported again, rows are found by their id, or else by their title: what changed there comes, and what staff changed
here stays unless it changed there too, which the answer tells.`,
		Args: cobra.ExactArgs(1),
		RunE: fromFile(&event, func(cmd *cobra.Command, programme *models.Programme, file *os.File) error {
			table, err := sheet.Open(file)
			if err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
			held, err := heldBy(table, columns)
			if err != nil {
				return err
			}
			for i, column := range table.Columns {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", column.Name, labelOf(held[i]))
			}
			rows, err := sheet.Read(table, name, held, programme.Event().Location())
			if err != nil {
				return err
			}
			if check {
				return printJSON(cmd, rows.Count())
			}
			return moveInto(cmd, programme, rows)
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to import into")
	cmd.Flags().StringVar(&name, "as", "sessions", "tells this table from others of the event whose rows have the same ids")
	cmd.Flags().StringArrayVar(&columns, "column", nil, `what a column holds, such as "Where=room"; "Where=" leaves it out`)
	cmd.Flags().BoolVar(&check, "check", false, "say what would come, and write nothing")
	return required(cmd, "event")
}

// heldBy returns the field of each column of a table, by its heading or by a --column flag.
func heldBy(table *csv.File, said []string) ([]string, error) {
	held, chosen := sheet.Guess(table), map[string]bool{}
	for _, one := range said {
		heading, name, is := strings.Cut(one, "=")
		heading = strings.TrimSpace(heading)
		at := slices.IndexFunc(table.Columns, func(c csv.Column) bool { return strings.EqualFold(c.Name, heading) })
		if !is || at < 0 {
			return nil, fmt.Errorf("--column %q names no column of the file", one)
		}
		name = strings.TrimSpace(name)
		if !slices.ContainsFunc(sheet.Fields(), func(f sheet.Field) bool { return f.Name == name }) {
			var all []string
			for _, f := range sheet.Fields()[1:] {
				all = append(all, f.Name)
			}
			return nil, fmt.Errorf("--column %q: a column may hold %s", one, strings.Join(all, ", "))
		}
		if isField := name != "" && name != sheet.Kept; isField && chosen[name] {
			return nil, fmt.Errorf("--column %q: another column holds %s already", one, name)
		} else if guessed := slices.Index(held, name); isField && guessed >= 0 {
			held[guessed] = ""
		}
		held[at], chosen[name] = name, true
	}
	return held, nil
}

func labelOf(held string) string {
	all := sheet.Fields()
	return all[slices.IndexFunc(all, func(f sheet.Field) bool { return f.Name == held })].Label
}
