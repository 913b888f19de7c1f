package admintest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"github.com/pquerna/otp/totp"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/visit"
)

// Code returns the code that an authenticator app shows now.
func (d *Desk) Code(secret string) string {
	d.T.Helper()
	return modelstest.Must(totp.GenerateCode(secret, d.Clock.Now()))(d.T)
}

var AppSecret = regexp.MustCompile(`<span id="secret" hidden>([A-Z2-7]{32})</span>`)

// Person makes a person at an event, with fields and values in turn, and returns the id.
func (d *Desk) Person(at *models.Programme, pairs ...string) string {
	d.T.Helper()
	return modelstest.First(people.Of(at).AddPerson(context.Background(), modelstest.Values(pairs...)))(d.T).ID
}

// Caller is a user, or a stranger, who tries every route.
type Caller struct {
	*Desk
	Name  string
	Email string // of a member of staff, "" for a stranger
	Token string // of the login, or of the browser
}

// Hire makes a member of staff with these roles and signs them in.
func (d *Desk) Hire(name string, role staff.Role, everywhere bool, roles map[string]staff.Role) *Caller {
	d.T.Helper()
	ctx := context.Background()
	c := &Caller{Desk: d, Name: name, Email: strings.ReplaceAll(name, " ", "-") + "@example.org"}
	u := modelstest.Must(d.Staff.CreateUser(ctx, staff.NewUser{Email: c.Email, Name: name, Role: role,
		Password: Password}))(d.T)
	if !everywhere {
		_, err := d.SQL.Exec("UPDATE users SET everywhere = $1 WHERE id = $2", false, u.ID)
		for event, role := range roles {
			if err == nil {
				_, err = d.SQL.Exec("INSERT INTO event_roles (event_id, user_id, role) VALUES ($1, $2, $3)", event, u.ID, role)
			}
		}
		modelstest.Fine(d.T, err)
	}
	c.signIn()
	return c
}

func (c *Caller) signIn() {
	c.T.Helper()
	token, _, err := c.Staff.SignIn(context.Background(), staff.SignIn{Email: c.Email, Password: Password})
	if err != nil {
		c.T.Fatalf("%s: %v", c.Name, err)
	}
	c.Token = token
}

// Try requests a route with a valid form token. Afterwards it signs the caller in again if the request may have ended
// the login.
func (c *Caller) Try(method, path string, change func(*http.Request)) (status int, location, page string) {
	c.T.Helper()
	r := httptest.NewRequest(method, path, nil)
	cookie := BrowserCookie
	if c.Email != "" {
		cookie = visit.LoginCookie
	}
	r.AddCookie(&http.Cookie{Name: c.cookieName(cookie), Value: c.Token})
	if method != "GET" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("x-form-token", c.FormTokenOf(c.Token))
	}
	if change != nil {
		change(r)
	}
	res := modelstest.Must(c.App.Test(r, -1))(c.T)
	body := modelstest.Must(io.ReadAll(res.Body))(c.T)
	if c.Email != "" && method != "GET" {
		if _, err := c.Staff.LoginBy(context.Background(), c.Token); err != nil {
			c.signIn()
		}
	}
	return res.StatusCode, res.Header.Get("Location"), string(body)
}

var Parameter = regexp.MustCompile(`:[a-z_]+`)

// At returns the route's address at an event, with random ids for its other parameters.
func At(r visit.Route, eventID string) string {
	return Parameter.ReplaceAllStringFunc(r.Path, func(name string) string {
		if name == ":event" {
			return eventID
		}
		return store.NewID()
	})
}

func (d *Desk) Member(name string) *staff.User {
	d.T.Helper()
	for _, u := range modelstest.Must(d.Staff.Team(d.Organization(d.Event.OrganizationID, store.By{})).
		Members(context.Background()))(d.T) {
		if u.Name == name {
			return u
		}
	}
	d.T.Fatalf("nobody is called %s", name)
	return nil
}
