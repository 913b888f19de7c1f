package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
)

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
