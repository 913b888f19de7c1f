package webhooks

// RoundsAPage is how many rounds of deliveries a page of the log shows.
const RoundsAPage = roundsAPage
