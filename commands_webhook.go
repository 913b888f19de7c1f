package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"lectern/jobs"
	"lectern/models"
)

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
			if err != nil {
				return err
			}
			return printJSON(cmd, map[string]any{"results": endpoints})
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
