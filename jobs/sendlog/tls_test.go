package sendlog

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
)

// sealed is a listener with a certificate for 127.0.0.1 and example.com, and the file of who vouches for it.
func sealed(t *testing.T) (listener net.Listener, authority string) {
	t.Helper()
	known := httptest.NewUnstartedServer(nil)
	known.StartTLS()
	known.Close()
	authority = filepath.Join(t.TempDir(), "own ca.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: known.Certificate().Raw})
	modelstest.Fine(t, os.WriteFile(authority, content, 0o600))
	listener = modelstest.Must(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: known.TLS.Certificates}))(t)
	t.Cleanup(func() { listener.Close() })
	return listener, authority
}

func TestASyslogOverTLSTakesLinesAndComesBack(t *testing.T) {
	t.Parallel()
	listener, authority := sealed(t)
	s := started(t, "syslog+tls://"+listener.Addr().String()+"?ca="+strings.ReplaceAll(authority, " ", "%20"))
	for n := range 2 { // the other side goes away in between
		tell(s, n)
		conn := modelstest.Must(listener.Accept())(t)
		conn.SetDeadline(time.Now().Add(time.Minute))
		wantMessage(t, read(t, bufio.NewReader(conn)), n)
		conn.Close()
		<-s.to.(*syslogOf).gone
	}
}

// TestASyslogWhoseCertificateIsNotGoodGetsNothing has one by nobody whom the machine trusts, one for another host, and
// one that does not speak TLS. Lines wait, as for one that is away.
func TestASyslogWhoseCertificateIsNotGoodGetsNothing(t *testing.T) {
	t.Parallel()
	listener, authority := sealed(t)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	plain := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer plain.Close()
	for _, from := range []net.Listener{listener, plain} {
		go func() {
			for {
				conn, err := from.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					conn.SetDeadline(time.Now().Add(time.Minute))
					if sealed, is := conn.(*tls.Conn); is && sealed.Handshake() != nil {
						return
					}
					line, _ := bufio.NewReader(conn).ReadString('}')
					if strings.Contains(line, "security") {
						t.Errorf("it was told %q", line)
					}
				}()
			}
		}()
	}
	for want, address := range map[string]string{
		"unknown authority": "syslog+tls://" + listener.Addr().String(),
		"localhost":         "syslog+tls://localhost:" + port + "?ca=" + strings.ReplaceAll(authority, " ", "%20"),
		"":                  "syslog+tls://" + plain.Addr().String(),
	} {
		s := modelstest.Must(Parse(address))(t)
		err := s.to.write(t.Context(), line{time.Now(), 0, []byte(`{"msg":"security"}`)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
