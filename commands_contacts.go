package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/people"
)

// contactsReport is the outcome of an import of people, or of its dry run.
type contactsReport struct {
	Rows     int               `json:"rows"`
	Created  int               `json:"created"`
	Updated  int               `json:"updated"`
	Named    int               `json:"known_by_name"` // rows without an address that take that of a row with the same name
	Skipped  int               `json:"skipped"`
	Failed   int               `json:"failed"`
	Columns  map[string]string `json:"columns"` // the field of each column
	LeftOut  []string          `json:"left_out"`
	Why      map[string]string `json:"left_out_because,omitempty"` // why columns were left out, where known
	Earlier  string            `json:"imported_before,omitempty"`
	Faults   []contactsFault   `json:"faults"`
	OnlyTold bool              `json:"check_only"`
}

type contactsFault struct {
	Row    int    `json:"row"`
	Column string `json:"column,omitempty"`
	Text   string `json:"text,omitempty"`
	Reason string `json:"reason"`
}

func importContactsCommand() *cobra.Command {
	var event, policy, failed string
	var check bool
	cmd := &cobra.Command{Use: "import people.csv", Short: "Import people from a CSV file", Args: cobra.ExactArgs(1),
		RunE: fromFile(&event, func(cmd *cobra.Command, programme *models.Programme, file *os.File) error {
			ctx := cmd.Context()
			// The file may be a pipe, which cannot be read twice or may have no end.
			content, err := io.ReadAll(io.LimitReader(file, csv.MaxBytes+1))
			if err != nil {
				return err
			}
			done, err := people.Of(programme).ImportContacts(ctx, file.Name(), bytes.NewReader(content),
				people.ImportPolicy(policy), check)
			if err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
			if failed != "" && done.Failed > 0 {
				if err := writeFailed(done, failed); err != nil {
					return err
				}
			}
			earlier, err := people.Of(programme).EarlierImport(ctx, done.ContactImport)
			if err != nil {
				return err
			}
			return printJSON(cmd, reportOf(done, earlier, check))
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event whose people they are")
	cmd.Flags().StringVar(&policy, "policy", string(people.ImportFill),
		"what becomes of people whose e-mail is known: fill (what is blank), overwrite or skip")
	cmd.Flags().BoolVar(&check, "check", false, "tell what would happen, and write nothing")
	cmd.Flags().StringVar(&failed, "failed", "", "file for the rows that cannot come in, to be corrected and imported")
	return required(cmd, "event")
}

// writeFailed writes the rows that cannot be imported to a file of their own.
func writeFailed(done *people.ImportCheck, name string) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // it contains addresses
	if err != nil {
		return err
	}
	return errors.Join(done.WriteFaults(out), out.Close())
}

func reportOf(c *people.ImportCheck, earlier *people.ContactImport, checked bool) contactsReport {
	r := contactsReport{Rows: c.Rows, Created: c.Created, Updated: c.Updated, Skipped: c.ContactImport.Skipped,
		Failed: c.Failed, Named: len(c.Named),
		Columns: map[string]string{}, LeftOut: []string{}, Why: map[string]string{}, Faults: []contactsFault{}, OnlyTold: checked}
	if checked {
		r.Created, r.Updated, r.Skipped = c.Create, c.Effects[c.Policy].People, c.SkippedBy(c.Policy)
	}
	if earlier != nil {
		r.Earlier = fmt.Sprintf("%s by %s", earlier.FinishedAt, earlier.UserName)
	}
	for _, column := range c.Columns {
		if column.Chosen == "" {
			r.LeftOut = append(r.LeftOut, column.Name)
			if column.Why != "" {
				r.Why[column.Name] = column.Why
			}
		} else {
			r.Columns[column.Name] = c.Label(column.Chosen)
		}
	}
	for _, f := range c.Faults {
		r.Faults = append(r.Faults, contactsFault{f.Row, f.Column, f.Text, f.Reason})
	}
	return r
}
