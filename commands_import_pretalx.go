package main

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/pretalx"
	"lectern/models/store"
)

// tokenVariable has the token of a pretalx where the flag would leave it in the shell's history.
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
				if err != nil {
					return err
				}
				return printJSON(cmd, count)
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
