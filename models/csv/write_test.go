package csv

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// written returns a table as a file.
func written(t *testing.T, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestACellThatCalculatesIsRefusedAndATextIsNot(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"=1+1": true, " =A1": true, "＝A1": true, "@SUM(A1)": true, "+SUM(1)": true, "-HYPERLINK(\"x\")": true, "=@A1": true,
		"+-SUM(A1)": true, "+cmd|' /C calc'!A0": true, "＠SUM(A1)": true,
		"+49 (30) 1": false, "-2": false, "@ana": false, "@ana (she)": false, "- vegan (no nuts)": false, "'=1+1": false,
		"'@SUM(A1)": false, "": false, "a=b": false, "+": false,
	} {
		if calculates(cell) != want {
			t.Errorf("%q calculates: %t", cell, !want)
		}
		f := opened(t, "a,b\n\""+strings.ReplaceAll(cell, `"`, `""`)+"\",x\n", Reading{})
		if row := rowsOf(t, f)[0]; len(row.Faults) > 0 != want {
			t.Errorf("%q: %v", cell, row.Faults)
		}
	}
}

func TestNoCellThatIsWrittenIsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", "=1+1": "'=1+1", "+49 30": "'+49 30", "-2": "'-2", "@SUM(A1)": "'@SUM(A1)",
		"＝1": "'＝1", "＋49": "'＋49", "－1": "'－1", "＠x": "'＠x", " =1": "' =1", "\u00a0=1": "'\u00a0=1",
		"\tx": "'\tx", "\nx": "'\nx", "'twas": "'twas", "''": "''", "'=1": "''=1", "''=1": "'''=1", "a=1": "a=1",
		"\t=1": "'\t=1", "\n=1": "'\n=1", "  +1": "'  +1", "\u00a0@x": "'\u00a0@x", " －1": "' －1", "A-1": "A-1", " ": " ",
		"2026-12-31": "2026-12-31", "�": "�", "\xff": "\xff",
	} {
		if got := inert(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := bared(want); got != text {
			t.Errorf("%q is read as %q, want %q", want, got, text)
		}
	}
	if got := written(t, []string{"Name", "Phone"}, []string{"Ana, \"A\"", "+49"}); got !=
		mark+"Name,Phone\r\n\"Ana, \"\"A\"\"\",'+49\r\n" {
		t.Errorf("%q", got)
	}
}

func TestWhatIsWrittenIsReadBackTheSame(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"Name", "=Note", "Phone"},
		{"Zoë 山田", "two\n\nlines; \"quoted\", here", "+351 21"},
		{" =1+1", "'=1+1", "''@x"},
		{"", "\n", "'"},
		{"sep=;", " padded ", "\t-"},
	}
	f := opened(t, written(t, rows...), Reading{})
	if got := cellsOf(t, f); !reflect.DeepEqual(got, rows) {
		t.Errorf("%q, want %q", got, rows)
	}
	f = opened(t, written(t, []string{"a"}, []string{"one\r\ntwo\rthree"}), Reading{})
	if got := f.Sample[0][0]; got != "one\ntwo\nthree" {
		t.Errorf("%q", got)
	}
}

// Rows that cannot be used are written into a file to be corrected, which must not pass as correct itself.
func TestDamagedLettersStayDamagedUntilSomebodyCorrectsThem(t *testing.T) {
	t.Parallel()
	f := opened(t, "Nachname;Vorname\nM\xfcller;Zoë\n", Reading{Encoding: UTF8})
	again := opened(t, written(t, namesOf(f), rowsOf(t, f)[0].Cells), Reading{})
	if faults := rowsOf(t, again)[0].Faults; len(faults) != 1 || faults[0].Column != 1 {
		t.Errorf("%v", faults)
	}
}

func TestAWriterSaysThatNothingWasWritten(t *testing.T) {
	t.Parallel()
	w := NewWriter(full{})
	w.Write([]string{"a"})
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if err := w.Write([]string{strings.Repeat("x", 2*buffered)}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left")

func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		people, mark + people, "a;\"b\n\"\"c\";d\r\"x\"y;'=1\r\n", "sep=\t\na\tb\n1\t2", "a\x00,\x00b\x00\n\x001\x00,\x002\x00",
		"M\xfcller,Zo\xeb\nx,\xff", "\"a", "Name,Vorname,Nom,E-Mail,メール\nx,y,a@b.c,,\n", "PK\x03\x04", ",,,\n,,1\n\n,", "a\n\"b\nc\"d\ne\"",
	} {
		f.Add([]byte(seed), byte(0), byte(0))
	}
	f.Fuzz(func(t *testing.T, content []byte, encoding, delimiter byte) {
		as := Reading{Encoding: append(Encodings, "")[int(encoding)%5], Delimiter: append(delimiters, 0)[int(delimiter)%4]}
		file, err := Open(bytes.NewReader(content), as)
		if err != nil {
			if _, ok := err.(*Fault); !ok || err.Error() == "" || file != nil {
				t.Fatalf("%v beside %v", err, file)
			}
			return
		}
		names := map[string]bool{}
		for _, c := range file.Columns {
			if c.Name == "" || names[c.Name] {
				t.Fatalf("the name %q is empty or not unique", c.Name)
			}
			names[c.Name] = true
		}
		rows := rowsOf(t, file)
		var again [][]string
		last := 0
		for _, row := range rows {
			if row.Number <= last || len(row.Cells) != len(file.Columns) {
				t.Fatalf("after %d comes %+v", last, row)
			}
			last = row.Number
			again = append(again, row.Cells)
		}
		checkWrittenAgain(t, again)
		checkGuesses(t, file)
	})
}

// checkWrittenAgain writes rows, reads them again and compares. A column beside them keeps each row from being empty.
func checkWrittenAgain(t *testing.T, rows [][]string) {
	t.Helper()
	table := [][]string{slices.Repeat([]string{"x"}, min(len(rows[0])+1, MaxColumns))}
	for _, row := range rows {
		table = append(table, append([]string{"x"}, row...)[:len(table[0])])
	}
	for i, row := range rowsOf(t, opened(t, written(t, table...), Reading{Delimiter: ','})) {
		if !reflect.DeepEqual(row.Cells, table[i+1]) {
			t.Fatalf("%q was written, %q read", table[i+1], row.Cells)
		}
	}
}

func checkGuesses(t *testing.T, file *File) {
	t.Helper()
	seen := map[string]bool{}
	guesses := file.Guess(Targets)
	for _, g := range guesses {
		if seen[g.Target] && g.Target != "" || (g.Target == "") != (g.Certainty == leftOut || g.Certainty == Unclear) {
			t.Fatalf("%+v", guesses)
		}
		seen[g.Target] = true
	}
	if len(guesses) != len(file.Columns) {
		t.Fatalf("%d guesses for %d columns", len(guesses), len(file.Columns))
	}
}
