package look

import (
	"fmt"
	"math"
	"strconv"
)

// rgb is a colour's red, green and blue, each from 0 to 1.
type rgb [3]float64

// rgbOf reads #RRGGBB.
func rgbOf(color string) (c rgb) {
	for i := range c {
		n, _ := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		c[i] = float64(n) / 255
	}
	return c
}

// hex writes #RRGGBB, with each part clipped to what screens show.
func (c rgb) hex() string {
	var n [3]int
	for i, part := range c {
		n[i] = int(math.Round(255 * max(0, min(part, 1))))
	}
	return fmt.Sprintf("#%02X%02X%02X", n[0], n[1], n[2])
}

// hslOf returns a colour's hue, in sixths of the circle, its saturation and its lightness.
func hslOf(color string) (h, s, l float64) {
	c := rgbOf(color)
	high, low := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
	l = (high + low) / 2
	if high == low {
		return 0, 0, l
	}
	spread := high - low
	s = spread / (1 - math.Abs(2*l-1))
	switch high {
	case c[0]:
		h = math.Mod((c[1]-c[2])/spread+6, 6)
	case c[1]:
		h = (c[2]-c[0])/spread + 2
	default:
		h = (c[0]-c[1])/spread + 4
	}
	return h, s, l
}

// fromHSL reverses hslOf.
func fromHSL(h, s, l float64) string {
	chroma := s * (1 - math.Abs(2*l-1))
	second := chroma * (1 - math.Abs(math.Mod(h, 2)-1))
	c := [...]rgb{{chroma, second, 0}, {second, chroma, 0}, {0, chroma, second}, {0, second, chroma}, {second, 0, chroma},
		{chroma, 0, second}}[int(h)%6]
	for i := range c {
		c[i] += l - chroma/2
	}
	return c.hex()
}

// lab is a colour of OKLab, in which equal distances look equal: lightness, and how red and how yellow it is.
// https://bottosson.github.io/posts/oklab/
type lab struct{ l, a, b float64 }

func (c lab) plus(d lab) lab  { return lab{c.l + d.l, c.a + d.a, c.b + d.b} }
func (c lab) minus(d lab) lab { return lab{c.l - d.l, c.a - d.a, c.b - d.b} }

func labOf(color string) lab {
	c := rgbOf(color).linear()
	long := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	middle := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	short := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return lab{
		0.2104542553*long + 0.7936177850*middle - 0.0040720468*short,
		1.9779984951*long - 2.4285922050*middle + 0.4505937099*short,
		0.0259040371*long + 0.7827717662*middle - 0.8086757660*short,
	}
}

func (c lab) hex() string {
	cube := func(x float64) float64 { return x * x * x }
	long, middle, short := cube(c.l+0.3963377774*c.a+0.2158037573*c.b), cube(c.l-0.1055613458*c.a-0.0638541728*c.b),
		cube(c.l-0.0894841775*c.a-1.2914855480*c.b)
	linear := rgb{
		4.0767416621*long - 3.3077115913*middle + 0.2309699292*short,
		-1.2684380046*long + 2.6097574011*middle - 0.3413193965*short,
		-0.0041960863*long - 0.7034186147*middle + 1.7076147010*short,
	}
	for i, part := range linear {
		if part <= 0.0031308 {
			linear[i] = 12.92 * part
		} else {
			linear[i] = 1.055*math.Pow(part, 1/2.4) - 0.055
		}
	}
	return linear.hex()
}
