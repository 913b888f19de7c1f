// Package docs holds the documentation as it stands here, for the pages that show it.
package docs

import "embed"

// Files are the texts, in Markdown, their pictures, and what watches a server.
//
//go:embed *.md guide/*.md pictures/*.webp monitoring/*
var Files embed.FS
