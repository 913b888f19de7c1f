"""Verifies a webhook by the library of Standard Webhooks: the body is on standard input, the rest in the environment."""

import os
import sys

from standardwebhooks.webhooks import Webhook

Webhook(os.environ["SECRET"]).verify(
    sys.stdin.buffer.read(),
    {
        "webhook-id": os.environ["ID"],
        "webhook-timestamp": os.environ["TIMESTAMP"],
        "webhook-signature": os.environ["SIGNATURE"],
    },
)
print("verified")
