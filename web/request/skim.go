package request

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/url"

	"github.com/gofiber/fiber/v2"
)

// Skim reads a form with files of up to most bytes and keeps its fields, of up to room bytes, as those of a form
// without files: whatever came as a file is let go. It returns how large those were, by their fields, and answers 413
// for a larger form, and 400 for what is none.
func Skim(c *fiber.Ctx, most int64, room int) (files map[string]int64, err error) {
	_, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || parameters["boundary"] == "" {
		return nil, fiber.ErrBadRequest
	}
	var body io.Reader = c.Request().BodyStream()
	if c.Request().BodyStream() == nil {
		body = bytes.NewReader(c.Request().Body())
	}
	limited := &io.LimitedReader{R: body, N: most + 1}
	s := &skimmed{room: room, files: map[string]int64{}}
	err = s.read(multipart.NewReader(limited, parameters["boundary"]))
	if _, rest := io.Copy(io.Discard, limited); rest != nil && err == nil {
		err = fiber.ErrBadRequest
	}
	if limited.N <= 0 {
		err = fiber.ErrRequestEntityTooLarge
	}
	if err != nil {
		return nil, err
	}
	c.Request().Header.SetContentType(fiber.MIMEApplicationForm)
	c.Request().SetBodyRaw(s.fields.Bytes())
	return s.files, nil
}

// partCost is the memory that a part takes beside its name and text, however little is in it.
const partCost = 64

// skimmed is what is kept of a form.
type skimmed struct {
	room   int
	fields bytes.Buffer
	files  map[string]int64
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

func (s *skimmed) take(part *multipart.Part) error {
	name := part.FormName()
	if s.room -= len(name) + partCost; s.room < 0 {
		return fiber.ErrRequestEntityTooLarge
	}
	_, parameters, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if _, isFile := parameters["filename"]; isFile {
		n, err := io.Copy(io.Discard, part)
		if err != nil {
			return fiber.ErrBadRequest
		}
		if part.FileName() != "" {
			s.files[name] += n
		}
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
