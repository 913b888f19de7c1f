package moving

import "strings"

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Paragraphs is a plain text as HTML; what is HTML already stays as it is. Whoever keeps it sanitizes it.
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
