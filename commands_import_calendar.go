package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/calendar"
)

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
