package models

// Small enough that tests see several, and no multiple of a page.
func init() { exportSort = 700 }
