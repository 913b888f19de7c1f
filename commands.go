package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/frab"
)

// withStore runs a command of the shell on the configured database.
func withStore(do func(cmd *cobra.Command, store *models.Store, args []string) error) func(*cobra.Command, []string) error {
	return withOpened(opening{}, do)
}

// withSecrets is withStore for a command that seals.
func withSecrets(do func(cmd *cobra.Command, store *models.Store, args []string) error) func(*cobra.Command, []string) error {
	return withOpened(opening{seals: true}, do)
}

func withOpened(o opening, do func(cmd *cobra.Command, store *models.Store, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags())
		if err != nil {
			return err
		}
		setLog(c.LogFormat)
		store, err := open(cmd.Context(), c, o)
		if err != nil {
			return err
		}
		defer store.Close()
		return do(cmd, store, args)
	}
}

// shell is who acts on the command line.
var shell = models.By{Door: "cli", ActorName: "command line"}

func programmeOf(ctx context.Context, store *models.Store, idOrSlug string, by models.By) (*models.Programme, error) {
	event, err := store.EventBy(ctx, idOrSlug)
	if err != nil {
		return nil, err
	}
	return store.Programme(event, by), nil
}

// printJSON is how every command answers: one object on one line.
func printJSON(cmd *cobra.Command, v any) error {
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
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

func eventCommand() *cobra.Command {
	var n models.NewEvent
	create := &cobra.Command{Use: "create", Short: "Create an event, and the organization with the first one", Args: cobra.NoArgs,
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

func userCommand() *cobra.Command {
	var n models.NewUser
	create := &cobra.Command{Use: "create", Short: "Create a member of staff; the password is read from standard input", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			var err error
			if n.Password, err = readPassword(cmd); err != nil {
				return err
			}
			user, err := store.CreateUser(cmd.Context(), n)
			return printUser(cmd, user, err)
		})}
	create.Flags().StringVar(&n.Email, "email", "", "e-mail address to sign in with")
	create.Flags().StringVar(&n.Name, "name", "", "full name")
	create.Flags().StringVar((*string)(&n.Role), "role", "", "owner, organizer, reviewer or viewer")
	var email string
	password := &cobra.Command{Use: "password", Short: "Give a member of staff a new password, read from standard input; it signs them out everywhere", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			user, err := store.SetPassword(cmd.Context(), email, password)
			return printUser(cmd, user, err)
		})}
	password.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	endFactor := &cobra.Command{Use: "end-second-factor", Short: "Turn the second factor of a member of staff off, who lost it with all recovery codes", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			user, err := store.EndTOTP(cmd.Context(), email)
			return printUser(cmd, user, err)
		})}
	endFactor.Flags().StringVar(&email, "email", "", "e-mail address they sign in with")
	return group("user", "Work with staff", required(create, "email", "name", "role"), required(password, "email"), required(endFactor, "email"))
}

// readPassword takes the first line of standard input.
func readPassword(cmd *cobra.Command) (string, error) {
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func printUser(cmd *cobra.Command, u *models.User, err error) error {
	if err != nil {
		return err
	}
	return printJSON(cmd, map[string]any{"id": u.ID, "email": u.Email, "name": u.Name, "role": u.Role})
}

func apiKeyCommand() *cobra.Command {
	var event, name, scopes, expires string
	create := &cobra.Command{Use: "create", Short: "Mint an API key; its value is shown this once", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			validFor, err := parseDays(expires)
			if err != nil {
				return err
			}
			programme, err := programmeOf(cmd.Context(), store, event, shell)
			if err != nil {
				return err
			}
			key, value, err := programme.CreateAPIKey(cmd.Context(), models.NewAPIKey{Name: name, Scopes: parseScopes(scopes), ValidFor: validFor})
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

func parseScopes(s string) []models.Scope {
	if s == "all" {
		return models.Scopes
	}
	var scopes []models.Scope
	for scope := range strings.SplitSeq(s, ",") {
		if scope = strings.TrimSpace(scope); scope != "" {
			scopes = append(scopes, models.Scope(scope))
		}
	}
	return scopes
}

// parseDays reads a duration that may be given in days.
func parseDays(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if days, found := strings.CutSuffix(s, "d"); found {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
		if n > 36500 {
			d = 0
		}
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no duration; write 90d or 12h", s)
	}
	return d, nil
}

func webhookCommand() *cobra.Command {
	var address string
	create := &cobra.Command{Use: "create", Short: "Add a webhook endpoint; its secret is shown this once", Args: cobra.NoArgs,
		RunE: withSecrets(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			endpoint, secret, err := store.CreateWebhookEndpoint(cmd.Context(), address)
			if err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{"id": endpoint.ID, "url": endpoint.URL, "secret": secret})
		})}
	create.Flags().StringVar(&address, "url", "", "http or https address to send to")
	list := &cobra.Command{Use: "list", Short: "List the webhook endpoints, without their secrets", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			endpoints, err := store.WebhookEndpoints(cmd.Context())
			if err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{"results": endpoints})
		})}
	var secret, signature string
	verify := &cobra.Command{Use: "verify", Short: "Check a signature of the body on standard input", Args: cobra.NoArgs,
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
	return group("webhook", "Work with webhook endpoints", required(create, "url"), list, required(verify, "secret", "signature"))
}

func importCommand() *cobra.Command {
	var event string
	var options models.ImportOptions
	cmd := &cobra.Command{Use: "import schedule.xml", Short: "Import a frab or pentabarf schedule", Args: cobra.ExactArgs(1),
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, args []string) error {
			programme, err := programmeOf(cmd.Context(), store, event, models.By{Door: "import", ActorName: "command line"})
			if err != nil {
				return err
			}
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			schedule, err := frab.Parse(file, programme.Event().Location())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			summary, err := programme.Import(cmd.Context(), schedule, options)
			if err != nil {
				return err
			}
			return printJSON(cmd, summary)
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to import into")
	cmd.Flags().BoolVar(&options.AsSubmissions, "as-submissions", false, "also make an accepted abstract for each session")
	return required(cmd, "event")
}

func seedCommand() *cobra.Command {
	var event string
	var sessions, contacts int
	cmd := &cobra.Command{Use: "seed", Short: "Fill an event with synthetic data for measuring", Args: cobra.NoArgs,
		RunE: withStore(func(cmd *cobra.Command, store *models.Store, _ []string) error {
			programme, err := programmeOf(cmd.Context(), store, event, shell)
			if err != nil {
				return err
			}
			if err := programme.Seed(cmd.Context(), sessions, contacts); err != nil {
				return err
			}
			return printJSON(cmd, map[string]int{"sessions": sessions, "contacts": contacts})
		})}
	cmd.Flags().StringVar(&event, "event", "", "id or slug of the event to fill")
	cmd.Flags().IntVar(&sessions, "sessions", 1000, "how many sessions")
	cmd.Flags().IntVar(&contacts, "contacts", 500, "how many contacts")
	return required(cmd, "event")
}
