// Verifies a webhook by the library of Standard Webhooks: the body is on standard input, the rest in the environment.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { SECRET, ID, TIMESTAMP, SIGNATURE } = process.env as Record<string, string>;
new Webhook(SECRET!).verify(readFileSync(0, "utf8"), {
  "webhook-id": ID!,
  "webhook-timestamp": TIMESTAMP!,
  "webhook-signature": SIGNATURE!,
});
console.log("verified");
