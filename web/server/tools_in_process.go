package server

import (
	"bytes"
	"io"
	"net"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// inProcess is an http.RoundTripper that calls the app's own handler: no port, no connection, and the same
// middleware as from outside.
type inProcess struct {
	handler func() fasthttp.RequestHandler // called once all routes are mounted
}

func (t *inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	request := fasthttp.Request{}
	request.Header.SetMethod(r.Method)
	request.SetRequestURI(r.URL.RequestURI())
	request.Header.SetHost(r.URL.Host)
	for name, values := range r.Header {
		request.Header.Set(name, values[0])
	}
	request.SetBodyRaw(body)
	var remote net.Addr
	if origin, ok := r.Context().Value(originKey{}).(*fasthttp.RequestCtx); ok {
		remote = origin.RemoteAddr()
		if forwarded := forwardedFor(origin); len(forwarded) > 0 {
			request.Header.SetBytesV(fiber.HeaderXForwardedFor, forwarded)
		}
	}
	ctx := &fasthttp.RequestCtx{}
	ctx.Init(&request, remote, nil)
	ctx.SetUserValue(contextKey{}, r.Context())
	t.handler()(ctx)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer := &http.Response{
		StatusCode: ctx.Response.StatusCode(), ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: &inProcessBody{bytes.NewReader(ctx.Response.Body()), ctx}, ContentLength: int64(len(ctx.Response.Body())),
	}
	for name, value := range ctx.Response.Header.All() {
		answer.Header.Add(string(name), string(value))
	}
	return answer, nil
}

// inProcessBody is the body of an answer; its memory is reused once it is closed.
type inProcessBody struct {
	*bytes.Reader
	of *fasthttp.RequestCtx
}

func (b *inProcessBody) Close() error {
	b.Reset(nil)
	b.of.Response.ResetBody()
	return nil
}
