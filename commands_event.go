package main

import (
	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/store"
)

func eventCommand() *cobra.Command {
	var n models.NewEvent
	create := &cobra.Command{Use: "create",
		Short: "Create an event, and the organization with the first one", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, _ []string) error {
			event, err := db.CreateEvent(cmd.Context(), n)
			if err != nil {
				return err
			}
			return printJSON(cmd, event)
		})}
	create.Flags().StringVar(&n.Name, "name", "", "name of the conference")
	create.Flags().StringVar(&n.Slug, "slug", "", "short name for addresses, such as harbour-2027")
	create.Flags().StringVar(&n.Timezone, "timezone", "", "IANA time zone, such as Europe/Lisbon")
	return group("event", "Work with events", required(create, "name", "slug", "timezone"), copyEventCommand())
}

func copyEventCommand() *cobra.Command {
	var c archive.Copy
	var startsOn string
	cmd := &cobra.Command{Use: "copy EVENT",
		Short: "Copy an event for another year: its call, rooms, rounds, letters, tasks, look and staff, none of its people",
		Args:  cobra.ExactArgs(1),
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, args []string) error {
			p, err := programmeOf(cmd.Context(), db, args[0], store.CommandLine)
			if err != nil {
				return err
			}
			if startsOn != "" {
				c.StartsOn = &startsOn
			}
			original, err := archive.Prepare(cmd.Context(), p)
			if err != nil {
				return err
			}
			event, err := original.Copy(cmd.Context(), c, db.CreateEvent)
			if err != nil {
				return err
			}
			return printJSON(cmd, event)
		})}
	cmd.Flags().StringVar(&c.Name, "name", "", "name of the new event")
	cmd.Flags().StringVar(&c.Slug, "slug", "", "its short name for addresses, such as harbour-2028")
	cmd.Flags().StringVar(&startsOn, "starts-on", "", "its first day, such as 2028-05-18; without it, all days are left open")
	return required(cmd, "name", "slug")
}
