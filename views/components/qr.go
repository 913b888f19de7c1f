package components

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// QROf encodes a text as a QR code. It returns an error for text of more than about 2,300 bytes.
func QROf(text string) (QRCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return QRCode{}, err
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if code.At(x, y) == color.Black {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	return QRCode{Size: size, Path: path.String()}, nil
}
