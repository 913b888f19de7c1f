package request

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Skim reads a form with files of up to most bytes and keeps its fields, of up to room bytes, as those of a form
// without files; it discards the files. It returns the files' sizes by field, and answers 413 for a larger form and
// 400 for a malformed one.
func Skim(c *fiber.Ctx, most int64, room int) (files map[string]int64, err error) {
	s := &skimmed{room: room, files: map[string]int64{}, keep: func(string) (io.Writer, error) { return io.Discard, nil }}
	return s.files, s.form(c, most)
}

// Spooled is a file that came with a form.
type Spooled struct {
	Name string // as the sender calls it
	*os.File
	Size int64
}

// Close closes the file and deletes it.
func (s *Spooled) Close() error { return errors.Join(s.File.Close(), os.Remove(s.File.Name())) }

// patience is how long the sender of a large file may pause.
const patience = time.Minute

// Spool is Skim that keeps the form's file in a temporary file, which the caller has to close; nil where none came,
// and 400 for more than one. It answers 408 when the sender pauses for a minute; the whole may take any time.
func Spool(c *fiber.Ctx, most int64, room int) (kept *Spooled, err error) {
	s := &skimmed{room: room, files: map[string]int64{}, patience: patience}
	s.keep = func(name string) (io.Writer, error) {
		if kept != nil {
			return nil, fiber.ErrBadRequest
		}
		file, err := os.CreateTemp("", "lectern-*")
		if err == nil {
			kept = &Spooled{Name: name, File: file}
		}
		return file, err
	}
	if err = s.form(c, most); err == nil && kept != nil {
		if kept.Size, err = kept.Seek(0, io.SeekCurrent); err == nil {
			_, err = kept.Seek(0, io.SeekStart)
		}
	}
	if err == nil {
		return kept, nil
	}
	c.Context().SetConnectionClose() // the rest of it may be on its way
	if kept != nil {
		kept.Close()
	}
	return nil, err
}

// form reads the form and replaces the request's body by its fields.
func (s *skimmed) form(c *fiber.Ctx, most int64) error {
	_, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || parameters["boundary"] == "" {
		return fiber.ErrBadRequest
	}
	var body io.Reader = c.Request().BodyStream()
	if c.Request().BodyStream() == nil {
		body = bytes.NewReader(c.Request().Body())
	}
	waiting := &patient{Reader: body, conn: c.Context().Conn(), each: s.patience}
	if s.patience > 0 {
		body = waiting
	}
	limited := &io.LimitedReader{R: body, N: most + 1}
	err = s.read(multipart.NewReader(limited, parameters["boundary"]))
	if _, rest := io.Copy(io.Discard, limited); rest != nil && err == nil {
		err = fiber.ErrBadRequest
	}
	if limited.N <= 0 {
		err = fiber.ErrRequestEntityTooLarge
	}
	if waiting.gaveUp() {
		err = fiber.ErrRequestTimeout
	}
	if err != nil {
		return err
	}
	c.Request().Header.SetContentType(fiber.MIMEApplicationForm)
	c.Request().SetBodyRaw(s.fields.Bytes())
	return nil
}

// patient renews the read deadline for each piece, and reads no more after an error.
type patient struct {
	io.Reader
	conn net.Conn
	each time.Duration
	err  error
}

func (p *patient) Read(b []byte) (n int, err error) {
	if p.err == nil {
		p.err = p.conn.SetReadDeadline(time.Now().Add(p.each))
	}
	if p.err == nil {
		n, p.err = p.Reader.Read(b)
	}
	return n, p.err
}

func (p *patient) gaveUp() bool {
	var late net.Error
	return errors.As(p.err, &late) && late.Timeout()
}

// partCost is the memory in bytes that a part takes besides its name and text; counting it bounds forms of many
// empty parts.
const partCost = 64

// skimmed is what is kept of a form while it is read.
type skimmed struct {
	room   int
	fields bytes.Buffer
	files  map[string]int64
	keep   func(name string) (io.Writer, error) // returns the writer for a file's bytes
	// patience is how long one piece may take; 0 leaves the server's read deadline.
	patience time.Duration
}

func (s *skimmed) read(form *multipart.Reader) error {
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fiber.ErrBadRequest
		}
		if err := s.take(part); err != nil {
			return err
		}
	}
}

// cut returns the error for a form that broke off: 400, but a full disk is not the sender's fault and stays what it
// is.
func cut(err error) error {
	if fault, is := errors.AsType[*fs.PathError](err); is {
		return fault
	}
	return fiber.ErrBadRequest
}

func (s *skimmed) take(part *multipart.Part) error {
	name := part.FormName()
	if s.room -= len(name) + partCost; s.room < 0 {
		return fiber.ErrRequestEntityTooLarge
	}
	_, parameters, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if _, isFile := parameters["filename"]; isFile {
		if part.FileName() == "" {
			return nil
		}
		to, err := s.keep(part.FileName())
		if err != nil {
			return err
		}
		n, err := io.Copy(to, part)
		if err != nil {
			return cut(err)
		}
		s.files[name] += n
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(part, int64(s.room)+1))
	if err != nil {
		return fiber.ErrBadRequest
	}
	if s.room -= len(text); s.room < 0 {
		return fiber.ErrRequestEntityTooLarge
	}
	s.fields.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(string(text)) + "&")
	return nil
}
