// Command verify verifies a webhook by the library of Standard Webhooks: the body is on standard input, the rest in the
// environment.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	header := http.Header{}
	header.Set("webhook-id", os.Getenv("ID"))
	header.Set("webhook-timestamp", os.Getenv("TIMESTAMP"))
	header.Set("webhook-signature", os.Getenv("SIGNATURE"))
	if err := webhook.Verify(body, header); err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified")
}
