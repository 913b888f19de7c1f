package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/store"
)

// configured wraps a command so that it gets the configuration, with logging set up.
func configured(do func(*cobra.Command, *Config, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags())
		if err != nil {
			return err
		}
		setLog(c)
		if !answers(cmd) { // a command's own output stays free of the log
			c.SecurityLog = c.SecurityLog.NotOnStdout()
		}
		defer c.SecurityLog.Start(logDrain)()
		return do(cmd, c, args)
	}
}

// logDrain is how long the process waits at its end for the last lines of the security log to be sent.
const logDrain = 2 * time.Second

// answers reports whether cmd is the server.
func answers(cmd *cobra.Command) bool { return cmd.Name() == "serve" || !cmd.HasParent() }

// storeCommand is the body of a command that uses the configured database.
type storeCommand func(cmd *cobra.Command, store *models.Store, args []string) error

// withStore wraps a command so that it gets the configured database.
func withStore(do storeCommand) func(*cobra.Command, []string) error {
	return withOpened(opening{}, do)
}

// withFile opens the file that the argument names, and then a database that must exist already: with a mistyped
// directory, nothing is created in it.
func withFile(do func(*cobra.Command, *models.Store, *os.File) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		file, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer file.Close()
		return withOpened(opening{exists: true}, func(cmd *cobra.Command, db *models.Store, _ []string) error {
			return do(cmd, db, file)
		})(cmd, args)
	}
}

func withOpened(o opening, do storeCommand) func(*cobra.Command, []string) error {
	return configured(func(cmd *cobra.Command, c *Config, args []string) error {
		store, _, err := open(cmd.Context(), c, o)
		if err != nil {
			return err
		}
		defer store.Close()
		return do(cmd, store, args)
	})
}

func programmeOf(ctx context.Context, store *models.Store, idOrSlug string, by store.By) (*models.Programme, error) {
	event, err := store.EventBy(ctx, idOrSlug)
	if err != nil {
		return nil, err
	}
	return store.Programme(event, by).Reaching(models.Everybody), nil
}

// printJSON prints a command's result: one object on one line.
func printJSON(cmd *cobra.Command, v any) error {
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printed prints what an operation returned, unless that is an error.
func printed(cmd *cobra.Command, v any, err error) error {
	if err != nil {
		return err
	}
	return printJSON(cmd, v)
}

func required(cmd *cobra.Command, flags ...string) *cobra.Command {
	for _, flag := range flags {
		cmd.MarkFlagRequired(flag)
	}
	return cmd
}

func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	cmd.AddCommand(commands...)
	return cmd
}
