package files

// Space is the free and the total size of a file system, in bytes.
type Space struct{ Free, All uint64 }

// Space returns that of the file system that the files are on, or will be.
func (d *Disk) Space() (Space, error) { return SpaceAt(d.dir) }
