package admin

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"

	"lectern/views/components"
)

// qrCode is text as a camera reads it. It answers an error for text of more than about 2,300 bytes.
func qrCode(text string) (components.QRCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return components.QRCode{}, err
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
	return components.QRCode{Size: size, Path: path.String()}, nil
}
