package models

import (
	"time"

	"lectern/models/staff"
	"lectern/models/store"
)

// OnceByKey names a request by the Idempotency-Key that an API key sent with it; the
// answer is kept for 24 hours. It answers Invalid for a key that is empty or longer
// than 255 characters.
func OnceByKey(apiKeyID, key, request string) (store.Once, error) {
	key, err := store.CleanName("Idempotency-Key", key, 255)
	return store.Once{Owner: "key " + apiKeyID, Key: key, Request: request, Age: 24 * time.Hour}, err
}

// OnceByForm names what a form of the admin makes. A form is known for as long as a
// login lasts.
func OnceByForm(form, request string) store.Once {
	return store.Once{Owner: "form", Key: form, Request: request, Age: staff.LoginLifetime}
}
