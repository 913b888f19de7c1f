package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/seed"
	"lectern/models/store"
)

// importing is who brings something by a command.
var importing = store.By{Door: store.ImportDoor, ActorName: "command line"}

// moveInto brings a conference into an event, says how far it is, and prints what became of it.
func moveInto(cmd *cobra.Command, p *models.Programme, source moving.Source) error {
	report, err := moving.Into(cmd.Context(), p, source, func(r moving.Report) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d people, %d photos, %d submissions, %d sessions, %d reviews\n", r.Contacts.All(),
			r.Photos, r.Abstracts.All(), r.Sessions.All(), r.Reviews.All())
	})
	switch {
	case err != nil && report != nil:
		return fmt.Errorf("%w\nwhat came so far stays; the same command goes on from there", err)
	case err != nil:
		return err
	}
	return printJSON(cmd, report)
}

// intoEvent runs a command with an event of a database that is there.
func intoEvent(cmd *cobra.Command, c *Config, event string, run func(*models.Programme) error) error {
	db, _, err := open(cmd.Context(), c, opening{exists: true})
	if err != nil {
		return err
	}
	defer db.Close()
	programme, err := programmeOf(cmd.Context(), db, event, importing)
	if err != nil {
		return err
	}
	return run(programme)
}

// fromFile is withFile of a command that names an event.
func fromFile(event *string, run func(*cobra.Command, *models.Programme, *os.File) error) func(*cobra.Command, []string) error {
	return withFile(func(cmd *cobra.Command, db *models.Store, file *os.File) error {
		programme, err := programmeOf(cmd.Context(), db, *event, importing)
		if err != nil {
			return err
		}
		return run(cmd, programme, file)
	})
}

func importCommand() *cobra.Command {
	var event string
	var options arrival.Options
	cmd := &cobra.Command{Use: "import FILE",
		Short: "Import a schedule: frab or pentabarf XML, or JSON", Args: cobra.ExactArgs(1),
		RunE: fromFile(&event, func(cmd *cobra.Command, programme *models.Programme, file *os.File) error {
			schedule, err := frab.Parse(file, programme.Event().Location())
			if err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
			summary, err := arrival.Of(programme).Import(cmd.Context(), schedule, options)
			if err != nil {
				return err
			}
			return printJSON(cmd, summary)
		})}
	cmd.AddCommand(importPretalxCommand(), importSheetCommand(), importSessionizeCommand(),
		importCalendarCommand())
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to import into")
	cmd.Flags().BoolVar(&options.AsSubmissions, "as-submissions", false, "also make an accepted abstract for each session")
	cmd.AddCommand(importArchiveCommand())
	return required(cmd, "event")
}

func seedCommand() *cobra.Command {
	var event string
	var sessions, contacts int
	cmd := &cobra.Command{Use: "seed", Short: "Fill an event with synthetic data for measuring", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, _ []string) error {
			programme, err := programmeOf(cmd.Context(), db, event, store.CommandLine)
			if err != nil {
				return err
			}
			if err := seed.Fill(cmd.Context(), programme, sessions, contacts); err != nil {
				return err
			}
			return printJSON(cmd, map[string]int{"sessions": sessions, "contacts": contacts})
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to fill")
	cmd.Flags().IntVar(&sessions, "sessions", 1000, "how many sessions")
	cmd.Flags().IntVar(&contacts, "contacts", 500, "how many contacts")
	return required(cmd, "event")
}
