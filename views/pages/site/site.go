package site

import (
	"context"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// more says how many people a card leaves out.
func more(n int) string { return " +" + strconv.Itoa(n) }

func digits(n int) string { return strconv.Itoa(n) }

// columnsClass says how many rooms share the grid.
func columnsClass(n int) string { return "cols" + digits(n) }

// starWord is the id of what a star does, which the frame of the page says once for all of them.
func starWord(c Card) string {
	if c.Starred {
		return "unstar"
	}
	return "star"
}

// names are what people are called.
func names(people []Person) (all []string) {
	for _, person := range people {
		all = append(all, person.Name)
	}
	return all
}

// bdis writes texts that may run in either direction, with commas between them and no space before one.
func bdis(texts ...string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, isolated(texts...))
		return err
	})
}

// withJobs writes people with job title and company, in a line.
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
