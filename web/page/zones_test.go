package page

import (
	"lectern/models/modelstest"
	"testing"
	"time"
)

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
