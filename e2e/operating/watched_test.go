package operating

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lectern/e2e/child"
	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestRealCollectorsReadTracesAndMetrics has the OpenTelemetry Collector and a Prometheus watch a server at work.
func TestRealCollectorsReadTracesAndMetrics(t *testing.T) {
	if !Long() {
		t.Skip("part of make e2e: the collector takes two minutes to build")
	}
	collector := modelstest.Must(InstallCollector("testdata/otelcol"))(t)
	prometheus := modelstest.Must(InstallPrometheus("testdata/prometheus"))(t)
	Each(t, func(t *testing.T, s *Site) {
		takes := FreeAddress(t)
		written := background(t, collector.Bin, "--config", File(t, "otelcol.yaml", fmt.Sprintf(otelcolConfig, takes)))
		metrics := FreeAddress(t)
		s.Env = append(s.Env, "LECTERN_METRICS_ADDR="+metrics, "LECTERN_TRACES_URL=http://"+takes+"/v1/traces")
		event := s.Run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone",
			"Europe/Lisbon")["id"].(string)
		key := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes",
			"read:events,write:sessions")["key"].(string)
		s.Run("webhook", "create", "--url", "http://127.0.0.1:9/path-of-the-receiver")
		srv := s.Serve("serve")
		s.Ok(key, "GET", "/v1/events", "")
		s.Ok(key, "POST", "/v1/event/"+event+"/sessions/create", `{"title": "title-of-the-session"}`)

		asks := FreeAddress(t)
		rules := modelstest.Must(filepath.Abs("../../docs/monitoring/alerts.yml"))(t)
		log := background(t, prometheus.Bin, "--web.listen-address="+asks, "--storage.tsdb.path="+t.TempDir(),
			"--config.file="+File(t, "prometheus.yml", fmt.Sprintf(prometheusConfig, rules, metrics)))
		for _, query := range []string{`lectern_request_seconds_count{route="/v1/events",status="200"} > 0`,
			`lectern_statement_seconds_count > 0`, `lectern_deliveries_leader == 1`, `lectern_letters_waiting == 0`,
			`up{job="lectern"} == 1`, `process_resident_memory_bytes > 0`} {
			wants(t, log, "Prometheus does not find "+query, func() bool { return found(asks, query) })
		}
		promtool(t, prometheus, metrics)

		wants(t, written, "the collector knows of no delivery", func() bool {
			return strings.Contains(written.String(), "Name           : delivery")
		})
		modelstest.Fine(t, srv.Terminate(t))
		for _, name := range []string{"GET /v1/events", "POST /v1/event/:eventId/sessions/create", "INSERT sessions"} {
			wants(t, written, "the collector knows of no "+name, func() bool {
				return strings.Contains(written.String(), "Name           : "+name+"\n")
			})
		}
		for _, secret := range []string{event, "path-of-the-receiver", "title-of-the-session", key} {
			if strings.Contains(written.String(), secret) {
				t.Errorf("the traces tell %q", secret)
			}
		}
	})
}

// TestTheAlarmsGoOffWhenTheyShould tests the rules with Prometheus' own tool.
func TestTheAlarmsGoOffWhenTheyShould(t *testing.T) {
	if !Long() {
		t.Skip("part of make e2e: it needs Prometheus")
	}
	prometheus := modelstest.Must(InstallPrometheus("testdata/prometheus"))(t)
	rules := modelstest.Must(filepath.Abs("../../docs/monitoring/alerts.yml"))(t)
	tests := modelstest.Must(os.ReadFile("testdata/alerts_test.yml"))(t)
	try := exec.Command(filepath.Join(filepath.Dir(prometheus.Bin), "promtool"), "test", "rules",
		File(t, "alerts_test.yml", fmt.Sprintf(string(tests), rules)))
	if out, err := try.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

const otelcolConfig = `
receivers: {otlp: {protocols: {http: {endpoint: "%s"}}}}
exporters: {debug: {verbosity: detailed}}
service:
  pipelines: {traces: {receivers: [otlp], exporters: [debug]}}
  telemetry: {metrics: {level: none}}
`

const prometheusConfig = `
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: ["%s"]
scrape_configs: [{job_name: lectern, static_configs: [{targets: ["%s"]}]}]
`

// promtool checks the metrics at an address by Prometheus' own rules.
func promtool(t *testing.T, prometheus *Installed, address string) {
	t.Helper()
	response := modelstest.Must(http.Get("http://" + address + "/metrics"))(t)
	defer response.Body.Close()
	check := exec.Command(filepath.Join(filepath.Dir(prometheus.Bin), "promtool"), "check", "metrics")
	check.Stdin = response.Body
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// found asks Prometheus at an address whether a query finds anything.
func found(address, query string) bool {
	response, err := http.Get("http://" + address + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var answer struct{ Data struct{ Result []any } }
	return json.NewDecoder(response.Body).Decode(&answer) == nil && len(answer.Data.Result) > 0
}

// background runs a program until the test ends, and returns what it writes.
func background(t *testing.T, program string, args ...string) *Output {
	t.Helper()
	out := &Output{}
	cmd := child.EndsWithUs(exec.Command(program, args...))
	cmd.Stdout, cmd.Stderr = out, out
	modelstest.Fine(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return out
}

// wants waits for something to hold.
func wants(t *testing.T, log *Output, otherwise string, holds func() bool) {
	t.Helper()
	if !Within(Patience, holds) {
		text := log.String()
		t.Fatalf("%s:\n%s", otherwise, text[max(0, len(text)-4000):])
	}
}
