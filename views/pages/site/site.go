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
		var out strings.Builder
		for i, text := range texts {
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString("<bdi>" + html.EscapeString(text) + "</bdi>")
		}
		_, err := io.WriteString(w, out.String())
		return err
	})
}
