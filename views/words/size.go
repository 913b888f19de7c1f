package words

// units are the units of sizes, each a thousand times the one before.
var units = []string{"size.kb", "size.mb", "size.gb"}

// Size formats a number of bytes: 812 bytes, 4.2 kB, 17 MB, 80 GB.
func (l *Language) Size(bytes int64) string {
	if bytes < 1000 {
		return l.N("size.bytes", int(bytes))
	}
	size, unit := float64(bytes)/1e3, 0
	for size >= 999.5 && unit+1 < len(units) {
		size, unit = size/1e3, unit+1
	}
	if size < 9.95 {
		return l.T(units[unit], "N", l.Decimal(size))
	}
	return l.T(units[unit], "N", l.cldr.FmtNumber(size, 0))
}
