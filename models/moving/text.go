package moving

import "strings"

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Paragraphs returns plain text as HTML, and HTML unchanged. Sanitizing it is up to whoever stores it.
func Paragraphs(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		return text
	}
	var out strings.Builder
	for _, part := range strings.Split(text, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			out.WriteString("<p>" + strings.ReplaceAll(escape.Replace(part), "\n", "<br>") + "</p>")
		}
	}
	return out.String()
}
