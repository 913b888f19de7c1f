package files

import (
	"bytes"
	"encoding/binary"
)

// orientation returns how a photo says that it was held, from 1 to 8 as in EXIF; 1, upright, when it does not say.
func orientation(photo []byte) int {
	for _, note := range notes(photo) {
		if o := orientationIn(note); o >= 1 && o <= 8 {
			return o
		}
	}
	return 1
}

// notes returns the EXIF blocks of a JPEG, PNG or WebP, each a small TIFF file.
func notes(photo []byte) [][]byte {
	switch {
	case bytes.HasPrefix(photo, []byte("\xff\xd8")):
		return jpegNotes(photo[2:])
	case bytes.HasPrefix(photo, []byte("\x89PNG\r\n\x1a\n")):
		return chunks(photo[8:], "eXIf", binary.BigEndian, true)
	case bytes.HasPrefix(photo, []byte("RIFF")) && len(photo) > 12:
		return chunks(photo[12:], "EXIF", binary.LittleEndian, false)
	}
	return nil
}

const exifHead = "Exif\x00\x00"

// jpegNotes reads the segments before the picture itself.
func jpegNotes(b []byte) (found [][]byte) {
	for len(b) >= 4 && b[0] == 0xff {
		kind, size := b[1], int(binary.BigEndian.Uint16(b[2:]))
		if kind == 0xda || size < 2 || 2+size > len(b) { // the scan begins
			break
		}
		if content := b[4 : 2+size]; kind == 0xe1 && bytes.HasPrefix(content, []byte(exifHead)) {
			found = append(found, content[len(exifHead):])
		}
		b = b[2+size:]
	}
	return found
}

// chunks reads the chunks with this name: of a PNG, where the length comes first and a checksum last, or of a WebP,
// where the name comes first and chunks are padded.
func chunks(b []byte, name string, order binary.ByteOrder, isPNG bool) (found [][]byte) {
	for len(b) >= 8 {
		called, size, more := b[:4], int64(order.Uint32(b[4:])), int64(0)
		if isPNG {
			called, size, more = b[4:8], int64(order.Uint32(b)), 4
		} else {
			more = size % 2
		}
		if 8+size > int64(len(b)) {
			break
		}
		if string(called) == name {
			found = append(found, bytes.TrimPrefix(b[8:8+size], []byte(exifHead)))
		}
		b = b[min(8+size+more, int64(len(b))):]
	}
	return found
}

// orientationTag is the one EXIF tag that matters here.
const orientationTag = 0x0112

// orientationIn reads the first directory of a TIFF file; 0 when it does not say.
func orientationIn(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	case !bytes.HasPrefix(tiff, []byte("II*\x00")):
		return 0
	}
	if len(tiff) < 8 {
		return 0
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == orientationTag {
			return int(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 0
}
