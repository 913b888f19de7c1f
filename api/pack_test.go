package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

func TestAnswersArePackedForWhoTakesIt(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		short := d.create(t, object{"title": "Short"})["id"].(string)
		long := d.create(t,
			object{"title": "Long", "description": strings.Repeat("<p>Tides and pumps.</p>", 200)})["id"].(string)
		path := d.path("/sessions/" + long)
		whole := d.do(t, "GET", path, nil).want(200)
		packed := d.do(t, "GET", path, nil, "Accept-Encoding", "br,gzip;q=0.8").want(200)
		reader, err := gzip.NewReader(bytes.NewReader(packed.raw))
		if err != nil {
			t.Fatal(err)
		}
		if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, whole.raw) ||
			len(packed.raw)*4 > len(whole.raw) {
			t.Errorf("%d bytes are packed as %d: %v", len(whole.raw), len(packed.raw), err)
		}
		for _, a := range []*answer{whole, packed} {
			modelstest.Want(t, "it varies with", a.header("Vary"), "Accept-Encoding")
			for _, headers := range [][]string{nil, {"Accept-Encoding", "gzip"}} {
				known := d.do(t, "GET", path, nil, append(headers, "If-None-Match", a.header("ETag"))...).want(304)
				if len(known.raw) > 0 || known.header("Content-Encoding") != "" ||
					known.header("Vary") != "Accept-Encoding" ||
					strings.TrimPrefix(known.header("ETag"), "W/") != whole.header("ETag") {
					t.Errorf("who has it is sent %d bytes, %s", len(known.raw), known.header("ETag"))
				}
			}
		}
		if packed.header("Content-Encoding") != "gzip" || packed.header("ETag") != "W/"+whole.header("ETag") {
			t.Errorf("%q %s, whole %s", packed.header("Content-Encoding"), packed.header("ETag"), whole.header("ETag"))
		}
		for name, a := range map[string]*answer{
			"a short one": d.do(t, "GET", d.path("/sessions/"+short), nil, "Accept-Encoding", "gzip").want(200),
			"a refusal":   d.do(t, "GET", d.path("/sessions/x"), nil, "Accept-Encoding", "gzip").want(404),
			"for nobody":  d.do(t, "GET", path, nil, "Accept-Encoding", "gzip;q=0").want(200),
		} {
			modelstest.Want(t, name+" is packed", a.header("Content-Encoding"), "")
		}
	})
}
