package poster

import (
	"image/color"
	"strconv"
)

// ink is one of the colours that a poster is drawn in.
type ink uint8

const (
	written ink = iota
	quiet
	accent
	line
	edge
	panel
	howMany
)

// shades is how many steps lead from the paper to an ink, for soft edges.
const shades = 32

// at returns the palette index of an ink that covers a pixel by cover of 255.
func (i ink) at(cover int) uint8 { return uint8(1 + int(i)*shades + cover*(shades-1)/255) }

func (i ink) solid() uint8 { return i.at(255) }

// inks are the colours by ink, after the paper's at index 0.
type inks [howMany + 1]color.RGBA

func newInks(c *Colours) (all inks) {
	all[0] = rgb(c.Paper)
	for i, hex := range [howMany]string{written: c.Ink, quiet: c.Muted, accent: c.Text, line: c.Line, edge: c.Edge,
		panel: c.Panel} {
		all[1+i] = rgb(hex)
	}
	return all
}

// palette returns the paper's colour and all shades of the inks on it.
func (all inks) palette() color.Palette {
	palette := color.Palette{all[0]}
	for _, c := range all[1:] {
		for shade := range shades {
			palette = append(palette, blended(all[0], c, shade*255/(shades-1)))
		}
	}
	return palette
}

// blended returns over laid on under, which it covers by cover of 255.
func blended(under, over color.RGBA, cover int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(255-cover) + int(b)*cover + 127) / 255) }
	return color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 255}
}

// rgb parses a hex colour; anything else is black.
func rgb(hex string) color.RGBA {
	n, _ := strconv.ParseUint(hex[min(1, len(hex)):], 16, 32)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}
