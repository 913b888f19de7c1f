package pretalx

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
)

// markdown renders texts as pretalx does: with tables, strikethrough, links and hard line breaks.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(render.WithHardWraps(), render.WithUnsafe()))

// html returns a text of pretalx as HTML; sanitizing it is up to whoever stores it. If it is not valid Markdown, it
// returns the text.
func html(text string) string {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		return text
	}
	return out.String()
}
