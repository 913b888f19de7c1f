package main

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/archive"
	"lectern/models/staff"
	"lectern/models/store"
)

func eventCommand() *cobra.Command {
	var n models.NewEvent
	create := &cobra.Command{Use: "create",
		Short: "Create an event, and the organization with the first one", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, _ []string) error {
			event, err := db.CreateEvent(cmd.Context(), n)
			return printed(cmd, event, err)
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
			return printed(cmd, event, err)
		})}
	cmd.Flags().StringVar(&c.Name, "name", "", "name of the new event")
	cmd.Flags().StringVar(&c.Slug, "slug", "", "its short name for addresses, such as harbour-2028")
	cmd.Flags().StringVar(&startsOn, "starts-on", "", "its first day, such as 2028-05-18; without it, all days are left open")
	return required(cmd, "name", "slug")
}

func userCommand() *cobra.Command {
	var n staff.NewUser
	create := &cobra.Command{Use: "create",
		Short: "Create a member of staff; the password is read from standard input", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			var err error
			if n.Password, err = readPassword(cmd); err != nil {
				return err
			}
			user, err := store.Staff.CreateUser(cmd.Context(), n)
			return printUser(cmd, user, err)
		})}
	create.Flags().StringVar(&n.Email, "email", "", "e-mail address to sign in with")
	create.Flags().StringVar(&n.Name, "name", "", "full name")
	create.Flags().StringVar((*string)(&n.Role), "role", "", "owner, organizer, reviewer or viewer")
	var email string
	password := &cobra.Command{Use: "password",
		Short: "Give a member of staff a new password, read from standard input; it signs them out everywhere",
		Args:  cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			user, err := store.Staff.SetPassword(cmd.Context(), email, password)
			return printUser(cmd, user, err)
		})}
	password.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	endFactor := &cobra.Command{Use: "end-second-factor",
		Short: "Turn the second factor of a member of staff off, who lost it with all recovery codes", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			user, err := store.Staff.EndSecondFactor(cmd.Context(), email)
			return printUser(cmd, user, err)
		})}
	endFactor.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	allowPasswords := &cobra.Command{Use: "allow-passwords",
		Short: "Let staff sign in with passwords again, when the identity provider that took their place does not work",
		Args:  cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			return printed(cmd, map[string]any{"passwords": true}, store.Staff.AllowPasswords(cmd.Context()))
		})}
	return group("user", "Work with staff", allowPasswords,
		required(create, "email", "name", "role"), required(password, "email"), required(endFactor, "email"))
}

// readPassword reads the first line of standard input.
func readPassword(cmd *cobra.Command) (string, error) {
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func printUser(cmd *cobra.Command, u *staff.User, err error) error {
	if err != nil {
		return err
	}
	return printJSON(cmd, map[string]any{"id": u.ID, "email": u.Email, "name": u.Name, "role": u.Role})
}

func apiKeyCommand() *cobra.Command {
	var event, name, scopes, expires string
	create := &cobra.Command{Use: "create",
		Short: "Mint an API key; its value is shown this once", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, db *models.Store, _ []string) error {
			validFor, err := parseDays(expires)
			if err != nil {
				return err
			}
			programme, err := programmeOf(cmd.Context(), db, event, store.CommandLine)
			if err != nil {
				return err
			}
			n := apikey.New{Name: name, Scopes: parseScopes(scopes), ValidFor: validFor}
			key, value, err := apikey.Of(programme).Create(cmd.Context(), n)
			if err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{
				"id": key.ID, "key": value, "name": key.Name, "event_id": key.EventID,
				"scopes": strings.Fields(key.Scopes), "expires_at": key.ExpiresAt,
			})
		})}
	create.Flags().StringVar(&event, "event", "", "id or slug of the event the key reaches")
	create.Flags().StringVar(&name, "name", "", "what the key is for")
	create.Flags().StringVar(&scopes, "scopes", "", "scopes separated by commas, or all")
	create.Flags().StringVar(&expires, "expires", "", "how long the key is valid, such as 90d or 12h (default: for good)")
	return group("apikey", "Work with API keys", required(create, "event", "name", "scopes"))
}

func parseScopes(s string) []apikey.Scope {
	if s == "all" {
		return apikey.Scopes
	}
	var scopes []apikey.Scope
	for scope := range strings.SplitSeq(s, ",") {
		if scope = strings.TrimSpace(scope); scope != "" {
			scopes = append(scopes, apikey.Scope(scope))
		}
	}
	return scopes
}

func webhookCommand() *cobra.Command {
	var address string
	create := &cobra.Command{Use: "create",
		Short: "Add a webhook endpoint; its secret is shown this once", Args: cobra.NoArgs,
		RunE: withOpened(opening{seals: true}, func(cmd *cobra.Command, store *models.Store, _ []string) error {
			endpoint, secret, err := store.Outbox.CreateWebhookEndpoint(cmd.Context(), address)
			if err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{"id": endpoint.ID, "url": endpoint.URL, "secret": secret})
		})}
	create.Flags().StringVar(&address, "url", "", "http or https address to send to")
	list := &cobra.Command{Use: "list",
		Short: "List the webhook endpoints, without their secrets", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			endpoints, err := store.Outbox.WebhookEndpoints(cmd.Context())
			return printed(cmd, map[string]any{"results": endpoints}, err)
		})}
	var secret, signature string
	verify := &cobra.Command{Use: "verify",
		Short: "Check a signature of the body on standard input", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			body, err := io.ReadAll(cmd.InOrStdin())
			if err != nil {
				return err
			}
			if !jobs.Verify(secret, body, signature) {
				return errors.New("this is not the signature of the body under this secret")
			}
			return printJSON(cmd, map[string]bool{"valid": true})
		}}
	verify.Flags().StringVar(&secret, "secret", "", "secret of the endpoint")
	verify.Flags().StringVar(&signature, "signature", "", "value of the header x-service-signature")
	return group("webhook", "Work with webhook endpoints",
		required(create, "url"), list, required(verify, "secret", "signature"))
}
