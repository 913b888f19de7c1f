package manual

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	md "github.com/yuin/goldmark/text"

	"lectern/models/store"
)

// manual holds all pages, rendered.
type manual struct {
	byName  map[string]*text
	inOrder []*text
}

// text is one page.
type text struct {
	name, Title string
	file        string // below docs
	about       string // its first paragraph
	body        string // HTML, without the title
	sections    []section
}

// section is what stands under a heading; the first one holds what comes before any.
type section struct{ id, title, text, folded string }

func fold(s string) string { return store.Searchable(s) }

var markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(
	extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// read renders all pages that the shelves name.
func read(files fs.FS) (*manual, error) {
	m := &manual{byName: map[string]*text{}}
	for _, shelf := range shelves {
		for _, name := range shelf.names {
			one := &text{name: name}
			m.byName[name] = one
			m.inOrder = append(m.inOrder, one)
		}
	}
	for _, one := range m.inOrder {
		one.file = "guide/" + one.name + ".md"
		source, err := fs.ReadFile(files, one.file)
		if err != nil {
			one.file = one.name + ".md"
			source, err = fs.ReadFile(files, one.file)
		}
		if err != nil {
			return nil, err
		}
		if err := m.render(one, source); err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return m, nil
}

// render fills in a page from its Markdown.
func (m *manual) render(one *text, source []byte) error {
	doc := markdown.Parser().Parse(md.NewReader(source))
	if title, is := doc.FirstChild().(*ast.Heading); is {
		one.Title = said(title, source)
		doc.RemoveChild(doc, title)
	} else {
		return fmt.Errorf("the page does not begin with its title")
	}
	m.lead(one, doc)
	one.sections = sectionsOf(one.Title, doc, source)
	for node := doc.FirstChild(); node != nil && one.about == ""; node = node.NextSibling() {
		if node.Kind() == ast.KindParagraph {
			first, _, _ := strings.Cut(said(node, source), ". ")
			one.about = strings.TrimRight(first, ".:") + "."
		}
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, doc); err != nil {
		return err
	}
	one.body = out.String()
	return nil
}

// lead rewrites a page's links between files to the addresses of their pages, and unwraps links to files that have no
// page.
func (m *manual) lead(one *text, doc ast.Node) {
	var gone []ast.Node
	ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.Link:
			if !entering {
				break
			}
			file, part, _ := strings.Cut(string(node.Destination), "#")
			name := strings.TrimSuffix(path.Base(file), ".md")
			switch {
			case file == "" || strings.Contains(file, "://"):
			case m.isPage(name, path.Join(path.Dir(one.file), file)):
				if node.Destination = []byte(base + "/" + name); part != "" {
					node.Destination = append(node.Destination, "#"+part...)
				}
			case strings.HasPrefix(file, "monitoring/"):
				node.Destination = []byte(base + "/" + file)
			default:
				gone = append(gone, node)
			}
		case *ast.Image:
			node.Destination = []byte(base + "/pictures/" + path.Base(string(node.Destination)))
		}
		return ast.WalkContinue, nil
	})
	for _, link := range gone {
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			parent.InsertBefore(parent, link, child)
		}
		parent.RemoveChild(parent, link)
	}
}

// isPage reports whether a file below docs is the page of this name: docs/architecture has files with the names of pages.
func (m *manual) isPage(name, file string) bool {
	return m.byName[name] != nil && (file == name+".md" || file == "guide/"+name+".md")
}

// sectionsOf splits a page at its headings of the second level.
func sectionsOf(title string, doc ast.Node, source []byte) []section {
	all := []section{{title: title}}
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, is := node.(*ast.Heading); is && heading.Level == 2 {
			id, _ := heading.AttributeString("id")
			name, _ := id.([]byte)
			all = append(all, section{id: string(name), title: said(heading, source)})
			continue
		}
		last := &all[len(all)-1]
		last.text += said(node, source) + " "
	}
	for i := range all {
		all[i].folded = fold(all[i].title + " " + all[i].text)
	}
	return all
}

// said returns the text of a node, without markup.
func said(node ast.Node, source []byte) string {
	var out strings.Builder
	ast.Walk(node, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.Text:
			if entering {
				out.Write(node.Segment.Value(source))
				if node.SoftLineBreak() || node.HardLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				out.Write(node.Value)
			}
		case *ast.FencedCodeBlock:
			for i := 0; entering && i < node.Lines().Len(); i++ {
				line := node.Lines().At(i)
				out.Write(line.Value(source))
			}
		default:
			if !entering && node.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}

// around returns an excerpt of a section around a word.
func (s *section) around(word string) string {
	const before, length = 8, 30 // words
	words := strings.Fields(s.text)
	at := max(0, slices.IndexFunc(words, func(w string) bool { return strings.Contains(fold(w), word) })-before)
	out := strings.Join(words[at:min(len(words), at+length)], " ")
	if at > 0 {
		out = "… " + out
	}
	if at+length < len(words) {
		out += " …"
	}
	return out
}
