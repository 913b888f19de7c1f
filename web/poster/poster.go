// Package poster draws the pictures that stand for pages where people share links to them. It knows only texts and
// colours.
package poster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/fixed"
)

// Width and Height of a poster, in pixels: the size that readers of Open Graph show uncropped.
const Width, Height = 1200, 630

const (
	margin   = 72
	portrait = 264 // side length in pixels
	gutter   = 52  // between a portrait and the text beside it
)

// Poster is what a poster shows. Characters that its fonts lack are left out: see Written.
type Poster struct {
	Colours Colours
	IsSans  bool     // titles are set in Inter instead of Source Serif 4
	Event   string   // above the rule; "" where the title names it
	Title   string   // up to three lines
	Lines   []string // below the title, such as the speakers, a line each
	Foot    string   // when and where
	Face    bool     // somebody's portrait stands beside the title
	Photo   image.Image
	Initial string // drawn instead of a missing photo
}

// Colours are hex colours such as #1F4E5F.
type Colours struct{ Paper, Panel, Ink, Muted, Line, Text, Edge string }

// PNG draws the poster and returns it as a PNG file.
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

// drawing is a poster being drawn. Its sheet has a palette: that is encoded in a third of the time of full colour.
type drawing struct {
	*Poster
	inks        inks
	sheet       *image.Paletted
	left, right int
}

func (d *drawing) fill(where image.Rectangle, with ink) {
	draw.Draw(d.sheet, where, image.NewUniform(d.sheet.Palette[with.solid()]), image.Point{}, draw.Src)
}

// head draws the event's name above the double rule of its pages.
func (d *drawing) head() {
	const rule = 136
	if d.Event != "" {
		d.write(titles(d.IsSans).at(34), d.Event, 104, written)
	}
	d.fill(image.Rect(margin, rule, Width-margin, rule+8), line)
	d.fill(image.Rect(margin, rule+12, Width-margin, rule+14), line)
}

// body draws the title with the lines below it; the less text there is, the larger it is set.
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

// write draws one line of text, cut to the room there is.
func (d *drawing) write(s style, text string, baseline int, with ink) {
	s.draw(d.sheet, with, shortened(s, text, d.right-d.left), fixed.P(d.left, baseline))
}

// initial draws a person's initial in a circle.
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

// withPhoto returns the sheet in full colour, with the photo's middle in a circle.
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

// halved returns a 4:2:0 photo at half its size. Its colours are stored at that resolution already, so only the
// brightness is averaged, which is fast.
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

// coloured returns the sheet in full colour. It converts the palette once, which draw.Draw would do for each pixel.
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

// covered returns how much of a pixel a circle covers, of 255.
func covered(x, y, across int) int {
	// Near the edge, the distance to it is about the difference of the squares divided by the diameter.
	dx, dy := 2*x+1-across, 2*y+1-across
	inside := (across*across - dx*dx - dy*dy) * 255 / (4 * across)
	return max(0, min(inside+128, 255))
}
