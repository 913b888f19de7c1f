package people

// IsImportCancelled tells whether the import that is at work here was told to end.
func IsImportCancelled(id string) bool {
	run := runs.of(id)
	return run != nil && run.cancelled.Load()
}
