package main

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"lectern/jobs/stage"
	"lectern/models/apikey"
	"lectern/models/demo"
	"lectern/models/store"
)

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Serve a demonstration conference on a throw-away database", Args: cobra.NoArgs,
		RunE: configured(serveDemo),
	}
}

func serveDemo(cmd *cobra.Command, c *Config, _ []string) error {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // making the demonstration logs nothing
	dir, err := os.MkdirTemp("", "lectern-demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	receiver, err := stage.StartReceiver()
	if err != nil {
		return err
	}
	defer receiver.Close()
	mailbox, err := stage.StartMailbox()
	if err != nil {
		return err
	}
	defer mailbox.Close()
	c = throwaway(c, dir, receiver, mailbox)
	ctx, wake := cmd.Context(), &waker{}
	lock, err := lockDatabase(c, "demo")
	if err != nil {
		return err
	}
	defer lock.Release()
	db, key, err := open(ctx, c, opening{committed: wake.call, seals: true, lock: lock})
	if err != nil {
		return err
	}
	defer db.Close()
	password := strings.ToLower(rand.Text()[:16])
	made, err := demo.Fill(ctx, db, demo.Options{Password: password, Receiver: receiver.URL()})
	if err != nil {
		return err
	}
	_, apiKey, err := apikey.Of(db.Programme(made.Event, store.CommandLine)).Create(ctx,
		apikey.New{Name: "Demonstration", Scopes: apikey.Scopes})
	if err != nil {
		return err
	}
	setLog(c)
	return run(ctx, c, db, key, wake, func() {
		staff := made.Staff
		fmt.Fprintf(cmd.OutOrStdout(), `
%s is running. It forgets everything when it ends (Ctrl+C).

  Admin     %[2]s/admin, as %[5]s with the password %[6]s
            or, with the same one, as %[7]s (organizer), %[8]s (reviewer), %[11]s (of a blind round) or %[9]s (viewer)
  API       %[2]s/v1
  Tools     %[2]s/mcp
  API key   %[3]s
  Docs      %[2]s/docs
  Mailbox   %[10]s

Try it, in another terminal:
  curl -s %[2]s/v1/event/%[4]s/sessions/search -H 'x-access-token: %[3]s' -H 'content-type: application/json' -d '{"filters": {"is_abstract": true, "text": "harbour"}, "pageSize": 3}'

`, made.Event.Name, c.BaseURL, apiKey, made.Event.ID, staff.Owner.Email, password, staff.Beatriz.Email, staff.Mei.Email,
			staff.Viewer.Email, mailbox.Page, staff.Ilias.Email)
	})
}

// throwaway returns a configuration that leaves nothing behind and sends nothing out of this computer.
func throwaway(c *Config, dir string, receiver *stage.Receiver, mailbox *stage.Mailbox) *Config {
	own := *c
	own.DataDir, own.DatabaseURL, own.Files = dir, "sqlite://"+dir+"/lectern.db", nil
	own.QuickSQLite, mailbox.Site = true, own.BaseURL
	own.Beside, own.Mail, own.MailFrom = receiver.Address, mailbox.Server, stage.Sender
	return &own
}
