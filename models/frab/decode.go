package frab

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// These are limits that no real schedule comes near; they keep a hostile one from filling the memory.
const (
	maxBytes    = 32 << 20
	maxElements = 500_000
	maxDepth    = 50
)

func decode(r io.Reader) (*document, error) {
	in := &limited{r: r, left: maxBytes}
	inner := xml.NewDecoder(in)
	inner.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, &charsetError{charset}
	}
	tokens := &guard{Decoder: inner}

	var doc document
	err := doc.read(xml.NewTokenDecoder(tokens))
	if err == nil {
		err = tokens.drain()
	}
	if err == nil {
		doc.events = tokens.events
		return &doc, nil
	}
	if in.err != nil {
		return nil, in.err
	}
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file holds no XML element")
	}
	return nil, explain(inner, err)
}

// explain adds the line to the decoder's error, in plain words.
func explain(d *xml.Decoder, err error) error {
	line, _ := d.InputPos()
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %s", syntax.Line, syntax.Msg)
	}
	if charset, ok := errors.AsType[*charsetError](err); ok {
		err = charset
	}
	if wrong, ok := errors.AsType[xml.UnmarshalError](err); ok {
		err = errors.New(string(wrong))
	}
	return fmt.Errorf("line %d: %w", line, err)
}

type charsetError struct{ charset string }

func (e *charsetError) Error() string {
	return fmt.Sprintf("the file declares its charset as %q, only UTF-8 is read", e.charset)
}

// guard counts the elements that pass through the decoder.
type guard struct {
	*xml.Decoder
	elements, depth int
	events          int
	mark            []xml.Token // tokens to return next
}

// A mark is a processing instruction of our own; the decoder sees it as an element named markName.
const (
	markTarget   = "lectern"
	markName     = "lectern-mark"
	capacityMark = "capacity " // of a room
	plenaryMark  = "plenary"   // of an event
)

// Token implements xml.TokenReader.
func (g *guard) Token() (xml.Token, error) {
	if len(g.mark) > 0 {
		token := g.mark[0]
		g.mark = g.mark[1:]
		return token, nil
	}
	token, err := g.Decoder.Token()
	switch token := token.(type) {
	case xml.ProcInst:
		if token.Target == markTarget && g.depth > 0 {
			element := xml.StartElement{Name: xml.Name{Local: markName}}
			g.mark = []xml.Token{xml.CharData(bytes.Clone(token.Inst)), element.End()}
			return element, nil
		}
	case xml.StartElement:
		if token.Name.Local == "event" {
			g.events++
		}
		g.elements++
		g.depth++
	case xml.EndElement:
		g.depth--
	}
	if g.elements > maxElements {
		return nil, fmt.Errorf("more than %d elements", maxElements)
	}
	if g.depth > maxDepth {
		return nil, fmt.Errorf("elements nested deeper than %d", maxDepth)
	}
	return token, err
}

// drain reads what follows the root element, which must be nothing important.
func (g *guard) drain() error {
	for {
		token, err := g.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			return fmt.Errorf("<%s> follows the end of the schedule", token.Name.Local)
		case xml.CharData:
			if strings.TrimSpace(string(token)) != "" {
				return errors.New("text follows the end of the schedule")
			}
		}
	}
}

// limited reads at most left bytes, and keeps the error that ended the reading, because the decoder would call a
// truncated file something else.
type limited struct {
	r    io.Reader
	left int
	err  error
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if l.left == 0 {
		// A file of exactly the limit is fine; one more byte is not.
		p = p[:min(len(p), 1)]
		n, err := l.r.Read(p)
		if n > 0 {
			l.err = fmt.Errorf("the file is larger than %d MiB", maxBytes>>20)
			return 0, l.err
		}
		return 0, l.keep(err)
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, l.keep(err)
}

func (l *limited) keep(err error) error {
	if err != nil && err != io.EOF {
		l.err = fmt.Errorf("reading: %w", err)
	}
	return err
}
