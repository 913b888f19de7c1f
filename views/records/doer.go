package records

// Doer names who did something and by which door, the same on every page. A person who worked in these pages stands by
// the name alone, also for background work on their behalf; API keys (agents use them too), imports and the command
// line are named as such.
func Doer(actor, door string) string {
	unnamed := actor == "" || actor == "command line"
	switch {
	case door == "api" && actor != "":
		return "API key “" + actor + "”"
	case door == "api":
		return "The API"
	case door == "import" && unnamed:
		return "An import"
	case door == "import":
		return "An import by " + actor
	case door == "cli" && unnamed:
		return "The command line"
	case door == "cli":
		return "The " + actor
	case actor == "":
		return "Somebody"
	}
	return actor
}
