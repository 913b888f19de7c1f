package site

import "strconv"

// more says how many people a card leaves out.
func more(n int) string { return " +" + strconv.Itoa(n) }

func digits(n int) string { return strconv.Itoa(n) }
