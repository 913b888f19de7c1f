package admin

import (
	"bufio"
	"encoding/csv"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// export answers with all rows of a list as CSV. They are written to a file
// first: who downloads slowly must not hold the database.
func export(v *visit, kind string) error {
	l, err := v.known(v.listing(kind))
	if err != nil {
		return err
	}
	columns, _ := v.columns(l)
	file, err := os.CreateTemp("", "lectern-*.csv")
	if err != nil {
		return err
	}
	answer := &passing{file}
	size, err := v.writeCSV(file, l, columns)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		answer.Close()
		return err
	}
	day := v.w.options.Now().In(v.event.Location()).Format("2006-01-02")
	v.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="`+v.event.Slug+"-"+kind+"-"+day+`.csv"`)
	return v.SendStream(answer, int(size))
}

// passing is a file that is gone once it was read.
type passing struct{ *os.File }

func (p *passing) Close() error {
	err := p.File.Close()
	os.Remove(p.Name())
	return err
}

func (v *visit) writeCSV(file *os.File, l listing, columns []pages.Column) (size int64, err error) {
	out := bufio.NewWriterSize(file, 64<<10)
	out.WriteString("\uFEFF") // tells spreadsheets that this is UTF-8
	w := csv.NewWriter(out)
	w.UseCRLF = true
	head := []string{"Label", "Title"}
	for _, column := range columns {
		head = append(head, column.Name)
	}
	w.Write(append(head, "Description", "Participants", "E-mail addresses", "Answers"))
	own, err := v.ownScores(columns)
	if err != nil {
		return 0, err
	}
	if err := v.programme.EachSession(v.ctx(), l.search(), func(rows []*models.Session) error {
		for _, s := range rows {
			if err := w.Write(v.csvRow(s, columns, own[s.ID])); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return 0, err
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return 0, err
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	return file.Seek(0, io.SeekCurrent)
}

func (v *visit) csvRow(s *models.Session, columns []pages.Column, own int) []string {
	row := []string{s.FriendlyID, s.Title}
	for _, column := range columns {
		row = append(row, v.csvCell(s, column.Key, own))
	}
	var names, addresses, answers []string
	for _, person := range s.Participants {
		names = append(names, person.FullName)
		if person.Email != "" {
			addresses = append(addresses, person.Email)
		}
	}
	for _, answer := range s.CustomFields {
		answers = append(answers, answer.Key+": "+answer.Value)
	}
	row = append(row, models.PlainText(s.Description), strings.Join(names, "; "), strings.Join(addresses, "; "), strings.Join(answers, "\n"))
	for i := range row {
		row[i] = inert(row[i])
	}
	return row
}

func (v *visit) csvCell(s *models.Session, column string, own int) string {
	at := func(t *models.Time) string {
		if t == nil {
			return ""
		}
		return t.In(v.event.Location()).Format("2006-01-02 15:04 MST")
	}
	switch column {
	case "status":
		return components.StatusName(string(s.Status))
	case "track":
		if s.Track != nil {
			return s.Track.Name
		}
	case "format":
		if s.Format != nil {
			return s.Format.Name
		}
	case "level":
		if s.Level != nil {
			return s.Level.Name
		}
	case "room":
		if s.Room != nil {
			return s.Room.Name
		}
	case "tags":
		var names []string
		for _, tag := range s.Tags {
			names = append(names, tag.Name)
		}
		return strings.Join(names, "; ")
	case "score":
		if s.Score != nil {
			return s.Score.String()
		}
	case "mine":
		if own > 0 {
			return strconv.Itoa(own)
		}
	case "start":
		return at(s.StartsAt)
	case "public":
		return map[bool]string{true: "Yes", false: "No"}[s.IsPublic]
	case "created":
		return at(&s.CreatedAt)
	case "changed":
		return at(&s.UpdatedAt)
	}
	return ""
}

// inert keeps a spreadsheet from taking a text for a formula, of which the wide
// forms of East Asian keyboards begin one too.
func inert(text string) string {
	if text != "" && strings.ContainsRune("\t\r\n", rune(text[0])) {
		return "'" + text
	}
	if begin := strings.TrimLeftFunc(text, unicode.IsSpace); begin != "" {
		if first, _ := utf8.DecodeRuneInString(begin); strings.ContainsRune("=+-@＝＋－＠", first) {
			return "'" + text
		}
	}
	return text
}
