package files

// Space is what a file system has room for, in bytes.
type Space struct{ Free, All uint64 }

// Space is that of the file system that the files are on, or will be.
func (d *Disk) Space() (Space, error) { return SpaceAt(d.dir) }
