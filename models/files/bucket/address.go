package bucket

import (
	"cmp"
	"errors"
	"net/url"
	"strings"
)

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
