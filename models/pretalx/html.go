package pretalx

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
)

// markdown is what pretalx shows texts as: with tables, struck text and links, and each line as one.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(render.WithHardWraps(), render.WithUnsafe()))

// html is a text of pretalx as HTML, which whoever keeps it sanitizes. A text that cannot be read as Markdown stays
// text.
func html(text string) string {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		return text
	}
	return out.String()
}
