package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/calendar"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/pretalx"
	"lectern/models/seed"
	"lectern/models/sessionize"
	"lectern/models/store"
)

// importing is the author of changes that a command imports.
var importing = store.By{Door: store.ImportDoor, ActorName: "command line"}

// moveInto moves a conference into an event, prints its progress, and then the report.
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

// intoEvent runs a command with an event of an existing database.
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

// fromFile is withFile for a command that names an event.
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
			return printed(cmd, summary, err)
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
			made := map[string]int{"sessions": sessions, "contacts": contacts}
			return printed(cmd, made, seed.Fill(cmd.Context(), programme, sessions, contacts))
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to fill")
	cmd.Flags().IntVar(&sessions, "sessions", 1000, "how many sessions")
	cmd.Flags().IntVar(&contacts, "contacts", 500, "how many contacts")
	return required(cmd, "event")
}

// tokenVariable may contain the token of a pretalx, which the flag would leave in the shell's history.
const tokenVariable = "PRETALX_TOKEN"

func importPretalxCommand() *cobra.Command {
	var event, token, there string
	var check bool
	cmd := &cobra.Command{Use: "pretalx URL",
		Short: "Move a conference here from a pretalx, or bring what changed there since",
		Long: `Move a conference here from a pretalx: tracks, types, rooms, tags, questions, speakers with photo and
availability, submissions in every state, reviews, and the schedule with its breaks. Done again, it brings what
changed there since; what staff changed here stays unless it changed there too, which the answer tells.

URL is the address of the event there, such as https://pretalx.com/democon. The token is one of an organizer, from
“API Access” of their account there, with the permission to read everything of the event; ` +
			tokenVariable + ` has it too.`,
		Args: cobra.ExactArgs(1),
		RunE: configured(func(cmd *cobra.Command, c *Config, args []string) error {
			if there == "" && !store.IsID(event) {
				there = event
			}
			source, err := pretalx.New(args[0], pretalx.Options{
				Fetch: jobs.NewFetch(c.AllowNets, userAgent()), Token: cmp.Or(token, os.Getenv(tokenVariable)), Event: there})
			if err != nil {
				return err
			}
			if check {
				count, err := source.Count(cmd.Context())
				return printed(cmd, count, err)
			}
			return intoEvent(cmd, c, event, func(p *models.Programme) error { return moveInto(cmd, p, source) })
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to move into")
	cmd.Flags().StringVar(&token, "token", "", "API token of the pretalx; "+tokenVariable+" has it too")
	cmd.Flags().StringVar(&there, "from", "",
		"slug of the event there, where URL does not name it (default: that of --event)")
	cmd.Flags().BoolVar(&check, "check", false, "only count what is there, and move nothing")
	return required(cmd, "event")
}

func importSessionizeCommand() *cobra.Command {
	var event string
	var check bool
	cmd := &cobra.Command{Use: "sessionize ADDRESS|FILE",
		Short: "Move a programme here from Sessionize, or bring what changed there since",
		Long: `Move a programme here from the public data of Sessionize: sessions with their times and rooms, tracks, formats,
levels and tags, breaks, and speakers with biography and photo, without addresses of mail, which Sessionize tells
nobody. ADDRESS is one of its API (“API / Embed” there, with JSON), such as
https://sessionize.com/api/v2/abcd1234/view/All; FILE has what it answers. Sessionize's spreadsheets come by
“import sheet”. Done again, it brings what changed there.`,
		Args: cobra.ExactArgs(1),
		RunE: configured(func(cmd *cobra.Command, c *Config, args []string) error {
			return intoEvent(cmd, c, event, func(programme *models.Programme) error {
				client, zone := jobs.NewFetch(c.AllowNets, userAgent()), programme.Event().Location()
				var source *sessionize.Conference
				var err error
				if file, unopened := os.Open(args[0]); unopened == nil {
					defer file.Close()
					source, err = sessionize.Read(file, client, zone)
				} else if address, none := sessionize.Address(args[0]); none != nil {
					return fmt.Errorf("%w; nor is it a file", none)
				} else {
					source, err = sessionize.Fetch(cmd.Context(), client, address, zone)
				}
				if err != nil {
					return err
				}
				if check {
					preview, err := moving.Look(cmd.Context(), programme, source, nil)
					return printed(cmd, preview, err)
				}
				return moveInto(cmd, programme, source)
			})
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to move into")
	cmd.Flags().BoolVar(&check, "check", false, "say what would come, and write nothing")
	return required(cmd, "event")
}

func importCalendarCommand() *cobra.Command {
	var event string
	var check bool
	cmd := &cobra.Command{Use: "calendar FILE",
		Short: "Import the sessions of a calendar (iCalendar), or bring what changed there since",
		Long: `Import the sessions of a calendar, iCalendar as programmes offer it (.ics): title, text, time, room, and categories,
which become tracks where no entry has two, and else tags. Entries that take nobody's time become breaks. A calendar
does not tell who speaks.

Imported again, entries are found by their UID: what changed there comes, and what staff changed here stays unless it
changed there too, which the answer tells.`,
		Args: cobra.ExactArgs(1),
		RunE: fromFile(&event, func(cmd *cobra.Command, programme *models.Programme, file *os.File) error {
			read, err := calendar.Read(file, programme.Event().Location())
			if err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
			if check {
				return printJSON(cmd, read.Count())
			}
			return moveInto(cmd, programme, read)
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to import into")
	cmd.Flags().BoolVar(&check, "check", false, "only count what is there, and import nothing")
	return required(cmd, "event")
}
