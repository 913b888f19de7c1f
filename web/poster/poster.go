// Package poster draws the pictures by which pages are shown where people share them. It knows texts and colours alone.
package poster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/fixed"
)

// Width and Height of a poster, in pixels: what Open Graph's readers show whole.
const Width, Height = 1200, 630

const (
	margin   = 72
	portrait = 264 // across
	gutter   = 52  // between a portrait and what stands beside it
)

// Poster is what one shows. What its fonts cannot write is left out: see Written.
type Poster struct {
	Colours Colours
	IsSans  bool     // titles are set in Inter in place of Source Serif 4
	Event   string   // above the rule; "" where the title says it
	Title   string   // up to three lines
	Lines   []string // below it, such as people: a line each
	Foot    string   // when and where
	Face    bool     // somebody's portrait stands beside the title
	Photo   image.Image
	Initial string // in the place of a photo
}

// Colours are hex colours such as #1F4E5F.
type Colours struct{ Paper, Panel, Ink, Muted, Line, Text, Edge string }

// PNG is the poster as a file.
func (p *Poster) PNG() ([]byte, error) {
	d := &drawing{Poster: p, inks: newInks(&p.Colours), left: margin, right: Width - margin}
	d.sheet = image.NewPaletted(image.Rect(0, 0, Width, Height), d.inks.palette())
	d.head()
	where := image.Rect(margin, 210, margin+portrait, 210+portrait)
	if p.Face {
		d.left += portrait + gutter
	}
	d.body()
	d.left = margin
	d.foot()
	switch {
	case p.Face && p.Photo != nil:
		return encoded(d.withPhoto(where))
	case p.Face:
		d.initial(where)
	}
	return encoded(d.sheet)
}

func encoded(picture image.Image) ([]byte, error) {
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, picture)
	return out.Bytes(), err
}

// drawing is a sheet of few colours, which takes a third of the time to write that any colours would.
type drawing struct {
	*Poster
	inks        inks
	sheet       *image.Paletted
	left, right int
}

func (d *drawing) fill(where image.Rectangle, with ink) {
	draw.Draw(d.sheet, where, image.NewUniform(d.sheet.Palette[with.solid()]), image.Point{}, draw.Src)
}

// head is the event's name above the double rule of its pages.
func (d *drawing) head() {
	const rule = 136
	if d.Event != "" {
		d.write(titles(d.IsSans).at(34), d.Event, 104, written)
	}
	d.fill(image.Rect(margin, rule, Width-margin, rule+8), line)
	d.fill(image.Rect(margin, rule+12, Width-margin, rule+14), line)
}

// body is the title with what stands below it: the larger, the less there is.
func (d *drawing) body() {
	const top, bottom, leading = 190, 530, 46
	room := bottom - top - leading*len(d.Lines) - leading/2
	style, lines := fitted(titles(d.IsSans), d.Title, d.right-d.left, room)
	y := top + (bottom-top-style.leading()*len(lines)-leading*len(d.Lines))/2
	if !d.Face {
		y = top
	}
	for _, part := range lines {
		y += style.leading()
		d.write(style, part, y-style.leading()/5, written)
	}
	y += leading / 2
	for _, text := range d.Lines {
		y += leading
		d.write(texts.at(30), text, y-leading/4, quiet)
	}
}

func (d *drawing) foot() {
	if d.Foot == "" {
		return
	}
	d.fill(image.Rect(margin, 548, Width-margin, 550), edge)
	d.write(texts.at(30), d.Foot, 594, accent)
}

// write puts one line on the sheet, as much of it as there is room for.
func (d *drawing) write(s style, text string, baseline int, with ink) {
	s.draw(d.sheet, with, shortened(s, text, d.right-d.left), fixed.P(d.left, baseline))
}

// initial draws somebody's in a circle.
func (d *drawing) initial(where image.Rectangle) {
	d.disc(where, edge)
	d.disc(where.Inset(2), panel)
	s := titles(d.IsSans).at(120)
	text := Written(d.Initial)
	s.draw(d.sheet, accent, text, fixed.P(where.Min.X+(where.Dx()-s.width(text))/2, where.Min.Y+where.Dy()/2+42))
}

func (d *drawing) disc(where image.Rectangle, with ink) {
	for y := where.Min.Y; y < where.Max.Y; y++ {
		for x := where.Min.X; x < where.Max.X; x++ {
			if cover := covered(x-where.Min.X, y-where.Min.Y, where.Dx()); cover > 0 {
				d.sheet.SetColorIndex(x, y, with.at(cover))
			}
		}
	}
}

// withPhoto is the sheet with the photo's middle in a circle.
func (d *drawing) withPhoto(where image.Rectangle) *image.RGBA {
	out := d.coloured()
	whole := d.Photo
	if kept, is := whole.(*image.YCbCr); is && kept.SubsampleRatio == image.YCbCrSubsampleRatio420 &&
		min(kept.Rect.Dx(), kept.Rect.Dy()) >= 2*where.Dx() {
		whole = halved(kept)
	}
	from := whole.Bounds()
	side := min(from.Dx(), from.Dy())
	from = image.Rect(0, 0, side, side).Add(from.Min).Add(image.Pt((from.Dx()-side)/2, (from.Dy()-side)/3))
	photo := image.NewRGBA(image.Rect(0, 0, where.Dx(), where.Dy()))
	draw.ApproxBiLinear.Scale(photo, photo.Rect, whole, from, draw.Src, nil)
	for y := range where.Dy() {
		for x := range where.Dx() {
			under := out.RGBAAt(where.Min.X+x, where.Min.Y+y)
			out.SetRGBA(where.Min.X+x, where.Min.Y+y, blended(under, photo.RGBAAt(x, y), covered(x, y, where.Dx())))
		}
	}
	return out
}

// halved is half of a photo as files keep it, of whose colours there are half as many as of its pixels: so every pixel
// counts when it is made smaller, and it is quick.
func halved(p *image.YCbCr) *image.YCbCr {
	width, height := p.Rect.Dx()/2, p.Rect.Dy()/2
	half := &image.YCbCr{Y: make([]byte, width*height), Cb: p.Cb, Cr: p.Cr, YStride: width, CStride: p.CStride,
		SubsampleRatio: image.YCbCrSubsampleRatio444, Rect: image.Rect(0, 0, width, height)}
	for y := range height {
		above, below := p.Y[2*y*p.YStride:], p.Y[(2*y+1)*p.YStride:]
		for x := range width {
			sum := int(above[2*x]) + int(above[2*x+1]) + int(below[2*x]) + int(below[2*x+1])
			half.Y[y*width+x] = uint8((sum + 2) / 4)
		}
	}
	return half
}

// coloured is the sheet for any colours. Its few are looked up once, which a copy would do for each pixel.
func (d *drawing) coloured() *image.RGBA {
	out := image.NewRGBA(d.sheet.Rect)
	colours := make([][4]byte, len(d.sheet.Palette))
	for i, c := range d.sheet.Palette {
		rgba := c.(color.RGBA)
		colours[i] = [4]byte{rgba.R, rgba.G, rgba.B, rgba.A}
	}
	for i, index := range d.sheet.Pix {
		copy(out.Pix[4*i:], colours[index][:])
	}
	return out
}

// covered is how much of a pixel a circle covers, of 255.
func covered(x, y, across int) int {
	// Near the edge the distance to it is the difference of the squares by the diameter.
	dx, dy := 2*x+1-across, 2*y+1-across
	inside := (across*across - dx*dx - dy*dy) * 255 / (4 * across)
	return max(0, min(inside+128, 255))
}
