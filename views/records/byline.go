package records

import (
	"strconv"
	"unicode"

	"lectern/models"
)

// Minutes returns ", 45 min": a session's length as placed, else its format's; "" if neither is known.
func Minutes(s *models.Session) string {
	long := 0
	if s.StartsAt != nil && s.EndsAt != nil {
		long = int(s.EndsAt.Sub(s.StartsAt.Time).Minutes())
	} else if s.Format.DefaultMinutes != nil {
		long = *s.Format.DefaultMinutes
	}
	if long == 0 {
		return ""
	}
	return ", " + strconv.Itoa(long) + " min"
}

// Bylined is a person of the byline, with the words before the name.
type Bylined struct {
	*models.Participant
	Lead string
}

// Byline lists people as a programme names them: "A and B, moderated by C".
func Byline(people []*models.Participant) (line []Bylined) {
	for _, part := range []struct {
		role models.Role
		lead string
	}{{models.Speaking, ""}, {models.Moderator, "moderated by "}, {models.Chairperson, "chaired by "}} {
		var of []*models.Participant
		for _, person := range people {
			if person.Role == part.role {
				of = append(of, person)
			}
		}
		for i, person := range of {
			lead := ", "
			switch {
			case i == 0 && len(line) == 0:
				lead = part.lead
			case i == 0:
				lead += part.lead
			case i == len(of)-1:
				lead = " and "
			}
			line = append(line, Bylined{person, lead})
		}
	}
	return line
}

// Upright reports whether a name is in a script that is never slanted.
func Upright(name string) bool {
	for _, r := range name {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew) {
			return true
		}
	}
	return false
}
