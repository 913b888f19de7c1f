//go:build !unix

package files

import "os"

// isAlone cannot tell here, so that parts stay until their leftovers are swept.
func isAlone(*os.File) bool { return false }
