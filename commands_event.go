package main

import (
	"github.com/spf13/cobra"

	"lectern/models"
)

func eventCommand() *cobra.Command {
	var n models.NewEvent
	create := &cobra.Command{Use: "create",
		Short: "Create an event, and the organization with the first one", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			event, err := store.CreateEvent(cmd.Context(), n)
			if err != nil {
				return err
			}
			return printJSON(cmd, event)
		})}
	create.Flags().StringVar(&n.Name, "name", "", "name of the conference")
	create.Flags().StringVar(&n.Slug, "slug", "", "short name for addresses, such as harbour-2027")
	create.Flags().StringVar(&n.Timezone, "timezone", "", "IANA time zone, such as Europe/Lisbon")
	return group("event", "Work with events", required(create, "name", "slug", "timezone"))
}
