package api_test

import (
	"context"
	"testing"

	"lectern/api"
	"lectern/models/modelstest"
	"lectern/models/seed"
)

// BenchmarkSearch is one page of 25 with everything embedded, without a network.
func BenchmarkSearch(b *testing.B) {
	for _, dialect := range modelstest.Dialects {
		b.Run(dialect, func(b *testing.B) {
			f := modelstest.Open(b, dialect)
			modelstest.Fine(b, seed.Fill(context.Background(), f.Programme(), 5000, 500))
			d := open(b, f, api.Options{})
			body := `{"filters": {"is_abstract": true}, "pageSize": 25}`
			b.ResetTimer()
			b.ReportAllocs()
			for b.Loop() {
				d.do(b, "POST", d.path("/sessions/search"), body).want(200)
			}
		})
	}
}
