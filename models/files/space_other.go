//go:build !linux && !darwin

package files

import "errors"

// SpaceAt is not supported on this system.
func SpaceAt(string) (Space, error) { return Space{}, errors.ErrUnsupported }
