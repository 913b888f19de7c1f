// Package bucket keeps files in a bucket of Amazon S3, or of any service that speaks its protocol, so that all
// replicas see the same.
package bucket

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/logging"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lectern/models/files"
)

const (
	// callTime is how long a call may take with all its attempts, attemptTime one attempt. Bodies have no limit as a
	// whole: each piece that is read has attemptTime, because whoever it is passed on to may be slow; each piece that is
	// sent has stallTime, and so has the answer after it.
	callTime    = 20 * time.Second
	attemptTime = 10 * time.Second
	stallTime   = 30 * time.Second
	attempts    = 3
)

// Bucket is a place for files.
type Bucket struct {
	client *s3.Client
	reader *http.Client  // downloads bodies
	writer *http.Client  // uploads bodies
	pause  time.Duration // attemptTime, less in tests
	stall  time.Duration // stallTime, less in tests
	at     Address
}

var _ files.Storage = (*Bucket)(nil)

// New returns the place at an address. It makes no connection; Check does.
func New(at Address) *Bucket {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // like deliveries, ignores the environment
	reading := transport.Clone()
	reading.ResponseHeaderTimeout = attemptTime
	scheme := "https://"
	if at.Insecure {
		scheme = "http://"
	}
	return &Bucket{at: at, pause: attemptTime, stall: stallTime, reader: &http.Client{Transport: reading},
		writer: &http.Client{Transport: transport}, client: s3.New(s3.Options{
			BaseEndpoint:     aws.String(scheme + at.Host),
			Region:           at.Region,
			UsePathStyle:     !strings.HasSuffix(at.Host, ".amazonaws.com"), // the form that every other service understands
			Credentials:      credentials.NewStaticCredentialsProvider(at.Key, at.Secret, ""),
			HTTPClient:       &http.Client{Transport: transport, Timeout: attemptTime},
			RetryMaxAttempts: attempts,
			Logger:           logging.Nop{}, // errors are returned, and say enough
			// Only Amazon knows checksums beyond the protocol's first ones.
			RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
			ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		})}
}

func (b *Bucket) String() string { return b.at.String() }

func (b *Bucket) name(key string) (bucket, object *string, err error) {
	if !files.IsKey(key) {
		return nil, nil, errors.New("this is no key of a file")
	}
	return &b.at.Bucket, aws.String(b.at.Prefix + key), nil
}

func (b *Bucket) Put(ctx context.Context, key string, content io.ReadSeeker) error {
	bucket, object, err := b.name(key)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sent := &sending{ReadSeeker: content, waits: time.AfterFunc(b.stall, cancel), stall: b.stall}
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: object, Body: sent, ContentType: aws.String("application/octet-stream")},
		func(o *s3.Options) { o.HTTPClient = b.writer })
	if inTime := sent.waits.Stop(); !inTime && err != nil {
		err = context.DeadlineExceeded
	}
	return faultOf(err)
}

// sending postpones the timeout of a call with each piece that is taken of its body.
type sending struct {
	io.ReadSeeker
	waits *time.Timer
	stall time.Duration
}

func (s *sending) Read(p []byte) (int, error) {
	if s.waits.Stop() { // otherwise the call was given up
		s.waits.Reset(s.stall)
	}
	return s.ReadSeeker.Read(p)
}

func (b *Bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	bucket, object, err := b.name(key)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	waits := time.AfterFunc(callTime, cancel)
	found, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: object},
		func(o *s3.Options) { o.HTTPClient = b.reader })
	if !waits.Stop() {
		if err == nil {
			found.Body.Close()
		}
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		if _, missing := errors.AsType[*types.NoSuchKey](err); missing {
			return nil, files.ErrMissing
		}
		return nil, faultOf(err)
	}
	return &body{found.Body, cancel, b.pause}, nil
}

// body cancels the call once it was read, or when a piece of it does not come in time.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
	pause  time.Duration
}

func (b *body) Read(p []byte) (int, error) {
	waits := time.AfterFunc(b.pause, b.cancel)
	n, err := b.ReadCloser.Read(p)
	if inTime := waits.Stop(); !inTime && err != nil && err != io.EOF {
		err = context.DeadlineExceeded
	}
	if err != nil && err != io.EOF {
		err = faultOf(err)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

func (b *Bucket) Delete(ctx context.Context, key string) error {
	bucket, object, err := b.name(key)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	_, err = b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: object})
	if _, missing := errors.AsType[*types.NoSuchKey](err); missing {
		return nil
	}
	return faultOf(err)
}

func (b *Bucket) Each(ctx context.Context, f func(key string, size int64) error) error {
	pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.at.Bucket, Prefix: &b.at.Prefix})
	for pages.HasMorePages() {
		page, err := b.page(ctx, pages)
		if err != nil {
			return err
		}
		for _, object := range page.Contents {
			key := strings.TrimPrefix(aws.ToString(object.Key), b.at.Prefix)
			if !files.IsKey(key) { // an object that is not ours
				continue
			}
			if err := f(key, aws.ToInt64(object.Size)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Bucket) page(ctx context.Context, pages *s3.ListObjectsV2Paginator) (*s3.ListObjectsV2Output, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	page, err := pages.NextPage(ctx)
	return page, faultOf(err)
}

// Check writes an object, reads it and deletes it.
func (b *Bucket) Check(ctx context.Context) error {
	key := files.NewKey()
	if err := b.Put(ctx, key, strings.NewReader(key)); err != nil {
		return err
	}
	there, err := b.Open(ctx, key)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, there)
	return errors.Join(err, there.Close(), b.Delete(ctx, key))
}

// faultOf returns a Fault that says why a service cannot serve.
func faultOf(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	message := "The file store does not answer at the moment."
	if answer, found := errors.AsType[*smithyhttp.ResponseError](err); found {
		switch status := answer.HTTPStatusCode(); {
		case status == http.StatusInsufficientStorage:
			message = "The file store has no room left, so no file can be kept at the moment."
		case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests:
		case status >= 400 && status < 500:
			message = "The file store refuses this server; its log says more."
		}
	}
	return &files.Fault{Message: message, Cause: err}
}

// Address says where a bucket is, with the credentials for it.
type Address struct {
	Host, Region, Bucket string
	Prefix               string // of all object names: "" or something that ends in /
	Key, Secret          string
	Insecure             bool // http, for a service on this machine or in a private network
}

// String leaves out the credentials.
func (a Address) String() string { return "s3://" + a.Host + "/" + a.Bucket + "/" + a.Prefix }

// ParseAddress reads s3://key:secret@host/bucket or …/bucket/prefix, with ?region= (default us-east-1) and &insecure=1.
// Special characters in a key or secret are percent-encoded, / as %2F. Errors quote no part of the address.
func ParseAddress(address string) (a Address, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User == nil || u.Fragment != "" {
		return a, errors.New("must be s3://key:secret@host/bucket; write / of the secret as %2F, + as %2B")
	}
	a.Host, a.Key = u.Host, u.User.Username()
	a.Secret, _ = u.User.Password()
	a.Bucket, a.Prefix, _ = strings.Cut(strings.Trim(u.Path, "/"), "/")
	if a.Prefix != "" {
		a.Prefix += "/"
	}
	if a.Key == "" || a.Secret == "" || a.Bucket == "" {
		return a, errors.New("lacks the key, the secret or the bucket: s3://key:secret@host/bucket")
	}
	query := u.Query()
	a.Region, a.Insecure = cmp.Or(query.Get("region"), "us-east-1"), query.Get("insecure") == "1"
	query.Del("region")
	query.Del("insecure")
	if len(query) > 0 {
		return a, errors.New("has a parameter other than region and insecure=1")
	}
	return a, nil
}
