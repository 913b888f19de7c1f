package records

// Doer names who did something and by which door, in the words of every page that tells of it: a person who worked
// in these pages by the name alone, also what went on in the background for them; an API key, which agents act by
// too; an import; the command line.
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
