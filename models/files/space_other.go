//go:build !linux && !darwin

package files

import "errors"

// SpaceAt cannot tell here.
func SpaceAt(string) (Space, error) { return Space{}, errors.ErrUnsupported }
