package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/moving"
	"lectern/models/sessionize"
)

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
					if err != nil {
						return err
					}
					return printJSON(cmd, preview)
				}
				return moveInto(cmd, programme, source)
			})
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to move into")
	cmd.Flags().BoolVar(&check, "check", false, "say what would come, and write nothing")
	return required(cmd, "event")
}
