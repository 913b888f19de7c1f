package demo

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"lectern/models"
)

// These are the embedded texts, in the order in which lists show entries of equal time.
var (
	//go:embed call.txt
	callText string
	//go:embed programme.txt
	programmeText string
	//go:embed last_year.txt
	lastYearText string
)

// entry is a submission or session as a text gives it:
//
//	## Title
//	by Name, Another Name (moderator)
//	Track | Format | Level | state
//	+ tag, tag
//	@ day time room
//
//	Paragraphs, which may have HTML.
//
//	> Reviewer score comment
//
// The state is one of the seven of a submission or, if it was never submitted, session, published or trash. The place
// can be "somewhere" for none yet, or "with" the title of the session that it is part of.
type entry struct {
	title, track, format, level, state string
	by                                 []person
	tags                               []string
	place                              string
	paragraphs                         []string
	opinions                           []opinion
	row                                *models.Session // once it was made
	session                            *models.Session // the one that it was composed into
}

// person is a person on an entry.
type person struct {
	name string
	role models.Role
}

// opinion is a reviewer's opinion.
type opinion struct {
	reviewer string
	models.Opinion
}

var (
	rolePattern    = regexp.MustCompile(`^(.*) \((moderator|chairperson)\)$`)
	opinionPattern = regexp.MustCompile(`^(\S+) ([1-5])(?: (.*))?$`)
)

// entriesOf parses a text.
func entriesOf(text string) (entries []*entry) {
	for _, part := range strings.Split("\n"+text, "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		e := &entry{title: lines[0]}
		for _, line := range lines[1:] {
			e.read(line)
		}
		entries = append(entries, e)
	}
	return entries
}

func (e *entry) read(line string) {
	mark, rest, _ := strings.Cut(line, " ")
	switch facts := strings.Split(line, " | "); {
	case line == "":
	case e.state == "" && mark == "by":
		for _, name := range strings.Split(rest, ", ") {
			who := person{name: name}
			if m := rolePattern.FindStringSubmatch(name); m != nil {
				who = person{m[1], models.Role(m[2])}
			}
			e.by = append(e.by, who)
		}
	case e.state == "" && len(facts) == 4:
		e.track, e.format, e.level, e.state = facts[0], facts[1], facts[2], facts[3]
	case mark == "+":
		e.tags = strings.Split(rest, ", ")
	case mark == "@":
		e.place = rest
	case mark == ">":
		m := opinionPattern.FindStringSubmatch(rest)
		if m == nil {
			panic(fmt.Sprintf("the demonstration cannot read %q", line)) // cannot happen with an embedded text
		}
		score, _ := strconv.Atoi(m[2])
		e.opinions = append(e.opinions, opinion{m[1], models.Opinion{Score: score, Comment: m[3]}})
	default:
		e.paragraphs = append(e.paragraphs, line)
	}
}

// description returns the text as HTML.
func (e *entry) description() string {
	var html strings.Builder
	for _, paragraph := range e.paragraphs {
		html.WriteString("<p>" + paragraph + "</p>")
	}
	return html.String()
}
