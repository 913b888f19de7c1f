package files

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

const (
	// MaxPhotoBytes is the maximum size of a photo's file.
	MaxPhotoBytes = 10 << 20
	// MaxPhotoPixels is the maximum number of pixels: reading a photo takes up to 15 bytes of memory for each.
	maxPhotoPixels = 25_000_000
	// PhotoSide is the maximum length in pixels of the longer side of somebody's kept photo.
	photoSide = 1024
	// PhotoType is the media type of kept photos, ClearType that of those with transparency.
	PhotoType, ClearType = "image/jpeg", "image/png"

	photoQuality = 85
	// photosAtOnce is how many photos are read at a time; more would take more memory than a small machine has.
	photosAtOnce = 1
)

// Unfit says in words why a file cannot be a photo, and what would do.
type Unfit string

func (u Unfit) Error() string { return string(u) }

// Photo is a photo as it is kept: upright, without metadata.
type Photo struct {
	Data          []byte
	MediaType     string
	Width, Height int
}

// Print says in which form a photo is kept.
type Print struct {
	Side    int  // maximum length of the longer side in pixels
	IsClear bool // keeps transparency, as PNG; others are JPEG on white
}

// Portrait is the print of a photo of somebody.
var Portrait = Print{Side: photoSide}

// Darkroom makes photos out of uploaded files, photosAtOnce at a time.
type Darkroom struct{ seats chan struct{} }

func NewDarkroom() *Darkroom { return &Darkroom{make(chan struct{}, photosAtOnce)} }

// Develop makes a print of a JPEG, PNG or WebP file: it turns it upright, scales it down to the print's size, and
// encodes it anew, so that only the picture is left of the file. It answers Unfit for another kind of file, a damaged
// one, and one that is too large, which it does not decode.
func (d *Darkroom) Develop(ctx context.Context, file []byte, as Print) (*Photo, error) {
	format, err := formatOf(file)
	if err != nil {
		return nil, err
	}
	select {
	case d.seats <- struct{}{}:
		defer func() { <-d.seats }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	picture, err := format.decode(bytes.NewReader(file))
	if err != nil {
		return nil, Unfit("is damaged and cannot be read; save it anew and choose that file")
	}
	kept := turned(as.scaled(picture), orientation(file))
	out, err := as.encode(kept)
	return &Photo{Data: out, MediaType: as.mediaType(), Width: kept.Rect.Dx(), Height: kept.Rect.Dy()}, err
}

func (p Print) mediaType() string {
	if p.IsClear {
		return ClearType
	}
	return PhotoType
}

func (p Print) encode(picture image.Image) ([]byte, error) {
	var out bytes.Buffer
	if p.IsClear {
		err := png.Encode(&out, picture)
		return out.Bytes(), err
	}
	err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: photoQuality})
	return out.Bytes(), err
}

// ground returns the colour that a picture is drawn on.
func (p Print) ground() *image.Uniform {
	if p.IsClear {
		return image.Transparent
	}
	return image.White
}

// format is a kind of file that can be decoded.
type format struct {
	begins string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = []format{
	{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"RIFF????WEBP", webp.DecodeConfig, webp.Decode},
}

// formatOf returns the format of a file by its first bytes, or Unfit.
func formatOf(file []byte) (*format, error) {
	if len(file) == 0 {
		return nil, Unfit("is empty; choose a file")
	}
	if len(file) > MaxPhotoBytes {
		return nil, Unfit(fmt.Sprintf("has %d MB, and the server takes up to %d MB; make it smaller",
			(len(file)+1<<20-1)>>20, MaxPhotoBytes>>20))
	}
	for _, f := range formats {
		if !Begins(file, f.begins) {
			continue
		}
		c, err := f.config(bytes.NewReader(file))
		switch {
		case err != nil || c.Width <= 0 || c.Height <= 0:
			return nil, Unfit("is damaged and cannot be read; save it anew and choose that file")
		case int64(c.Width)*int64(c.Height) > maxPhotoPixels:
			return nil, Unfit(fmt.Sprintf("has %d × %d pixels, and the server takes up to %d million; make it smaller",
				c.Width, c.Height, maxPhotoPixels/1_000_000))
		}
		return &f, nil
	}
	return nil, Unfit("is no photo that the server can read; choose a JPEG, PNG or WebP file")
}

// Begins reports whether a file begins with a pattern, in which ? stands for any byte.
func Begins(file []byte, pattern string) bool {
	for i := range len(pattern) {
		if i >= len(file) || pattern[i] != '?' && pattern[i] != file[i] {
			return false
		}
	}
	return true
}

// scaled returns a picture on the print's ground, no larger than the print.
func (p Print) scaled(picture image.Image) *image.RGBA {
	b := picture.Bounds()
	long := max(b.Dx(), b.Dy())
	// The scaler keeps 32 bytes for each row of the original and column of the result, so a large picture is first reduced
	// by averaging squares of pixels.
	rough := averaged(picture, p.ground(), max(1, long/p.Side))
	if long = max(rough.Rect.Dx(), rough.Rect.Dy()); long <= p.Side {
		return rough
	}
	fit := func(side int) int { return max(1, (side*p.Side+long/2)/long) }
	kept := image.NewRGBA(image.Rect(0, 0, fit(rough.Rect.Dx()), fit(rough.Rect.Dy())))
	draw.CatmullRom.Scale(kept, kept.Rect, rough, rough.Rect, draw.Src, nil)
	return kept
}

// averaged returns a picture with one pixel for each square of n × n, on a ground. It paints one strip at a time, so
// that the whole is never in memory twice.
func averaged(picture image.Image, ground *image.Uniform, n int) *image.RGBA {
	b := picture.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()/n), max(1, b.Dy()/n)))
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), min(n, b.Dy())))
	for y := range out.Rect.Dy() {
		draw.Draw(strip, strip.Rect, ground, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, picture, image.Pt(b.Min.X, b.Min.Y+y*n), draw.Over)
		for x := range out.Rect.Dx() {
			out.SetRGBA(x, y, mean(strip, x*n, min(n, b.Dx())))
		}
	}
	return out
}

// mean returns the mean colour of the pixels of a strip from x on, wide pixels in each row.
func mean(strip *image.RGBA, x, wide int) color.RGBA {
	var r, g, b, a int
	for row := range strip.Rect.Dy() {
		at := strip.PixOffset(x, row)
		for range wide {
			r, g, b, a = r+int(strip.Pix[at]), g+int(strip.Pix[at+1]), b+int(strip.Pix[at+2]), a+int(strip.Pix[at+3])
			at += 4
		}
	}
	n := strip.Rect.Dy() * wide
	half := n / 2
	return color.RGBA{uint8((r + half) / n), uint8((g + half) / n), uint8((b + half) / n), uint8((a + half) / n)}
}

// turned returns a picture upright, given EXIF's orientation.
func turned(p *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return p
	}
	w, h := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			toX, toY := turnedTo(x, y, w-1, h-1, orientation)
			out.SetRGBA(toX, toY, p.RGBAAt(x, y))
		}
	}
	return out
}

// turnedTo returns where a pixel goes; right and bottom are the largest coordinates.
func turnedTo(x, y, right, bottom, orientation int) (int, int) {
	switch orientation {
	case 2: // mirrored
		return right - x, y
	case 3: // upside down
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6: // on its left side
		return bottom - y, x
	case 7:
		return bottom - y, right - x
	case 8: // on its right side
		return y, right - x
	}
	return x, y
}
