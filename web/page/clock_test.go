package page

import (
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestMomentsOfWallTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, wall, want string }{
		{"Europe/Lisbon", "2027-05-20T09:30", "2027-05-20T08:30:00.000Z"},
		{"Europe/Lisbon", "2027-05-20T09:30:15", "2027-05-20T08:30:15.000Z"},
		{"Europe/Brussels", "2027-03-28T02:30", ""}, // the clocks go from 2 to 3
		{"Europe/Brussels", "2027-03-28T03:00", "2027-03-28T01:00:00.000Z"},
		{"Europe/Brussels", "2027-10-31T02:30", "2027-10-31T00:30:00.000Z 2027-10-31T01:30:00.000Z"},
		{"Europe/Brussels", "2027-10-31T03:00", "2027-10-31T02:00:00.000Z"},
		{"Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00.000Z 2027-04-03T15:15:00.000Z"}, // by half an hour
		// a day that was left out
		{"Pacific/Apia", "2011-12-30T12:00", ""},
		{"Asia/Kathmandu", "2027-01-01T00:00", "2026-12-31T18:15:00.000Z"},
	} {
		zone := modelstest.Must(time.LoadLocation(c.zone))(t)
		found, err := moments("at", c.wall, zone)
		var got []string
		for _, at := range found {
			got = append(got, at.String())
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s in %s: %v %v, want %s", c.wall, c.zone, got, err, c.want)
		}
	}
	for _, wall := range []string{"", "soon", "2027-02-30T10:00", "2027-05-20", "2027-05-20T25:00", "0000-01-01T00:00",
		"9999-12-31T23:59", "12027-01-01T00:00"} {
		if _, err := moments("at", wall, time.UTC); store.KindOf(err) != store.Invalid {
			t.Errorf("%q: %v", wall, err)
		}
	}
	brussels, _ := time.LoadLocation("Europe/Brussels")
	modelstest.Want(t, "the after gap", afterGap("2027-03-28T02:30", brussels), "28 Mar 2027, 03:00")
}

func TestAZoneIsFoundByItsCity(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"Europe/Lisbon": "Europe/Lisbon", "europe/lisbon": "Europe/Lisbon", " Lisbon ": "Europe/Lisbon",
		"new york": "America/New_York", "Lissabon": "Europe/Lisbon", "Genf ": "Europe/Zurich",
		"buenos aires": "America/Argentina/Buenos_Aires", "utc": "UTC", "Europe/Nowhere": "Europe/Nowhere", "": "",
	} {
		modelstest.Want(t, typed+" is", ZoneNamed(typed), want)
	}
	for _, zone := range Zones {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
	}
}
