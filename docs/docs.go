// Package docs holds the documentation as it stands here, for the pages that show it.
package docs

import "embed"

// Files are the texts, in Markdown, and their pictures.
//
//go:embed *.md guide/*.md pictures/*.webp
var Files embed.FS
