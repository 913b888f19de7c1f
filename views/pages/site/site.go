package site

import (
	"context"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lectern/views/layouts"
)

// more returns the number of people that a card leaves out: " +3".
func more(n int) string { return " +" + strconv.Itoa(n) }

// within keeps a link in the frame of another site, where others open a new tab.
func within(s layouts.Site) templ.Attributes {
	if !s.Embedded {
		return nil
	}
	return templ.Attributes{"target": "_self"}
}

func digits(n int) string { return strconv.Itoa(n) }

// columnsClass returns the CSS class for a grid of n rooms.
func columnsClass(n int) string { return "cols" + digits(n) }

// starWord returns the id of the star's label, which the page contains once for all stars.
func starWord(c Card) string {
	if c.Starred {
		return "unstar"
	}
	return "star"
}

// names returns the names of people.
func names(people []Person) (all []string) {
	for _, person := range people {
		all = append(all, person.Name)
	}
	return all
}

// bdis writes texts of either direction, separated by commas.
func bdis(texts ...string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, isolated(texts...))
		return err
	})
}

// withJobs writes names with job titles and companies, in one line.
func withJobs(people []Person) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var all []string
		for _, person := range people {
			texts := []string{person.Name, person.Org}
			if person.Org == "" {
				texts = texts[:1]
			}
			all = append(all, isolated(texts...))
		}
		_, err := io.WriteString(w, strings.Join(all, "; "))
		return err
	})
}

func isolated(texts ...string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = "<bdi>" + html.EscapeString(text) + "</bdi>"
	}
	return strings.Join(out, ", ")
}
