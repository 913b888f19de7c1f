// Package sessionize reads a conference from the public data of Sessionize, which its API returns as “view/All”.
package sessionize

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"time"

	"lectern/models/fetch"
)

// These are limits of what is read.
const (
	maxData  = 64 << 20 // of all data, in bytes
	maxPhoto = 10 << 20
)

// all is the data of “view/All”, with the names used there.
type all struct {
	Sessions   []session
	Speakers   []speaker
	Questions  []question
	Categories []category
	Rooms      []struct {
		ID   int
		Name string
	}
}

type session struct {
	ID                 id
	Title, Description string
	StartsAt, EndsAt   string // wall time of the event
	IsServiceSession   bool
	IsPlenumSession    bool
	Speakers           []string
	CategoryItems      []int
	QuestionAnswers    []answer
	RoomID             *int
	LiveURL            string
	RecordingURL       string
	Status             string
	IsConfirmed        bool
}

type speaker struct {
	ID                  string
	FirstName, LastName string
	Bio, TagLine        string
	ProfilePicture      string
	Links               []struct{ Title, URL, LinkType string }
	QuestionAnswers     []answer
}

type question struct {
	ID           int
	Question     string
	QuestionType string
}

type answer struct {
	QuestionID  int
	AnswerValue string
}

type category struct {
	ID    int
	Title string
	Type  string
	Items []struct {
		ID   int
		Name string
	}
}

// id is an id, which the JSON has as a text or a number.
type id string

func (i *id) UnmarshalJSON(b []byte) error {
	*i = id(strings.Trim(string(b), `"`))
	return nil
}

// addressForm matches the path of an address of Sessionize's API, and the event's code in it.
var addressForm = regexp.MustCompile(`^/api/v2/([A-Za-z0-9]+)(?:/|$)`)

// Address returns the address of all data of an event, given any address of its API or the code in it.
func Address(given string) (string, error) {
	given = strings.TrimSpace(given)
	if regexp.MustCompile(`^[A-Za-z0-9]{4,20}$`).MatchString(given) {
		return "https://sessionize.com/api/v2/" + given + "/view/All", nil
	}
	u, err := url.Parse(given)
	if err == nil && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http") {
		if m := addressForm.FindStringSubmatch(u.Path); m != nil {
			return u.Scheme + "://" + u.Host + "/api/v2/" + m[1] + "/view/All", nil
		}
	}
	return "", fmt.Errorf("%q is no address of Sessionize's API, such as https://sessionize.com/api/v2/abcd1234/view/All",
		given)
}

// Conference is a conference whose data were read.
type Conference struct {
	all
	zone  *time.Location
	fetch *fetch.Client
}

// Fetch reads the data at an address, through a client that restricts where it goes. Times are wall times of zone, the
// event's.
func Fetch(ctx context.Context, client *fetch.Client, address string, zone *time.Location) (*Conference, error) {
	body, err := client.Get(ctx, fetch.Ask{What: "the programme", Address: address, Limit: maxData})
	if err != nil {
		return nil, err
	}
	return read(body, client, zone)
}

// Read reads data that were saved as a file. Photos are fetched by the client; without one there are none.
func Read(src io.Reader, client *fetch.Client, zone *time.Location) (*Conference, error) {
	body, err := io.ReadAll(io.LimitReader(src, maxData+1))
	if err == nil && len(body) > maxData {
		err = fmt.Errorf("the data are larger than %d MB", maxData>>20)
	}
	if err != nil {
		return nil, err
	}
	return read(body, client, zone)
}

func read(body []byte, client *fetch.Client, zone *time.Location) (*Conference, error) {
	c := &Conference{zone: zone, fetch: client}
	err := json.Unmarshal(body, &c.all)
	switch text := strings.TrimSpace(string(body)); {
	case strings.HasPrefix(text, "<"):
		return nil, errors.New("this is a web page in place of data. In Sessionize, make an endpoint with JSON under " +
			"“API / Embed”")
	case strings.HasPrefix(text, "["):
		return nil, errors.New("this is one view of the data. Take that of “view/All”, which has everything")
	case err != nil:
		return nil, fmt.Errorf("these are no data of Sessionize: %w", err)
	case c.Sessions == nil || c.Speakers == nil:
		return nil, errors.New("these are no data of Sessionize: sessions and speakers are missing")
	}
	return c, nil
}
