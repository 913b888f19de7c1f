package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"
)

var (
	red   = color.RGBA{220, 20, 20, 255}
	green = color.RGBA{20, 220, 20, 255}
	blue  = color.RGBA{20, 20, 220, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// quarters returns a picture with a red, a green, a blue and a white quarter, from the left to the right, then below.
func quarters(width, height int) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.Set(x, y, [][]color.RGBA{{red, green}, {blue, white}}[y*2/height][x*2/width])
		}
	}
	return p
}

func asJPEG(t *testing.T, p image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	fine(t, jpeg.Encode(&out, p, &jpeg.Options{Quality: 95}))
	return out.Bytes()
}

func asPNG(t *testing.T, p image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	fine(t, png.Encode(&out, p))
	return out.Bytes()
}

// tiff returns an EXIF block with an orientation, behind an entry of no interest.
func tiff(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]uint16{{0x010f, 7}, {orientationTag, orientation}} {
		b = order.AppendUint16(b, entry[0])
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, entry[1])
		b = append(b, 0, 0)
	}
	return append(b, "secret place"...)
}

// heldJPEG puts an EXIF block, a comment and another segment into a JPEG.
func heldJPEG(file, note []byte) []byte {
	segment := func(kind byte, content string) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, kind}, uint16(len(content)+2)), content...)
	}
	out := append([]byte{}, file[:2]...)
	out = append(out, segment(0xfe, "secret comment")...)
	out = append(out, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00secret xmp")...)
	out = append(out, segment(0xe1, exifHead+string(note))...)
	return append(out, file[2:]...)
}

// heldPNG puts an eXIf chunk behind the header of a PNG.
func heldPNG(file, note []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(note)))
	body := append([]byte("eXIf"), note...)
	chunk = binary.BigEndian.AppendUint32(append(chunk, body...), crc32.ChecksumIEEE(body))
	return append(append(append([]byte{}, file[:33]...), chunk...), file[33:]...)
}

func develop(t *testing.T, file []byte) (*Photo, image.Image) {
	t.Helper()
	photo := must(NewDarkroom().Develop(t.Context(), file, Portrait))(t)
	picture, err := jpeg.Decode(bytes.NewReader(photo.Data))
	if err != nil || picture.Bounds() != image.Rect(0, 0, photo.Width, photo.Height) {
		t.Fatalf("%v: %v, not %d × %d", err, picture.Bounds(), photo.Width, photo.Height)
	}
	return photo, picture
}

// corners returns the colours in the middle of the quarters.
func corners(p image.Image) (out [4]color.RGBA) {
	b := p.Bounds()
	for i := range out {
		r, g, bl, _ := p.At(b.Dx()/4+i%2*b.Dx()/2, b.Dy()/4+i/2*b.Dy()/2).RGBA()
		seen := color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}
		for _, c := range []color.RGBA{red, green, blue, white} {
			if near(c.R, seen.R) && near(c.G, seen.G) && near(c.B, seen.B) {
				out[i] = c
			}
		}
	}
	return out
}

func near(a, b uint8) bool { return max(a, b)-min(a, b) < 40 }

func TestAPhotoIsTurnedUprightAndHasNoMetadata(t *testing.T) {
	t.Parallel()
	upright := [4]color.RGBA{red, green, blue, white}
	for orientation, want := range map[uint16][4]color.RGBA{
		0: upright, 1: upright, 2: {green, red, white, blue}, 3: {white, blue, green, red}, 4: {blue, white, red, green},
		5: {red, blue, green, white}, 6: {blue, red, white, green}, 7: {white, green, blue, red},
		8: {green, white, red, blue}, 9: upright,
	} {
		little, big := tiff(binary.LittleEndian, orientation), tiff(binary.BigEndian, orientation)
		for name, file := range map[string][]byte{
			"JPEG":               heldJPEG(asJPEG(t, quarters(80, 40)), little),
			"JPEG of the others": heldJPEG(asJPEG(t, quarters(80, 40)), big),
			"PNG":                heldPNG(asPNG(t, quarters(80, 40)), big),
		} {
			photo, picture := develop(t, file)
			if got := corners(picture); got != want {
				t.Errorf("a %s held as %d has %v, not %v", name, orientation, got, want)
			}
			if lies := orientation >= 5 && orientation <= 8; lies != (photo.Height == 80) {
				t.Errorf("a %s held as %d is %d × %d", name, orientation, photo.Width, photo.Height)
			}
			if !bytes.Contains(file, []byte("secret")) || bytes.Contains(photo.Data, []byte("secret")) ||
				bytes.Contains(photo.Data, []byte("Exif")) {
				t.Errorf("a %s keeps its metadata", name)
			}
		}
	}
}

// dotWebP returns a WebP file of one pixel.
const dotWebP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"

func TestAWebPIsRead(t *testing.T) {
	t.Parallel()
	plain := must(base64.StdEncoding.DecodeString(dotWebP))(t)
	note := tiff(binary.LittleEndian, 6)
	chunk := func(name string, content []byte) []byte {
		padded := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content))), content...)
		return append(padded, make([]byte, len(content)%2)...)
	}
	held := append([]byte("WEBP"), chunk("VP8X", []byte{8, 0, 0, 0, 0, 0, 0, 0, 0, 0})...)
	held = append(held, plain[12:]...)
	held = append(held, chunk("EXIF", append([]byte(exifHead), note...))...)
	held = append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(held))), held...)
	for name, file := range map[string][]byte{"plain": plain, "held": held} {
		if photo, _ := develop(t, file); photo.Width != 1 || photo.Height != 1 {
			t.Errorf("%s: %+v", name, photo)
		}
	}
	if orientation(plain) != 1 || orientation(held) != 6 {
		t.Errorf("it was held as %d", orientation(held))
	}
}

func TestEXIFThatLiesDoesNoHarm(t *testing.T) {
	t.Parallel()
	good := tiff(binary.LittleEndian, 6)
	for n := range len(good) {
		orientationIn(good[:n])
		develop(t, heldJPEG(asJPEG(t, quarters(8, 8)), good[:n]))
	}
	far := append([]byte{}, good...)
	copy(far[4:], "\xff\xff\xff\xff")
	if orientationIn(far) != 0 {
		t.Error("a directory beyond the end is read")
	}
	chunks([]byte("\xff\xff\xff\xffeXIfxxxx"), "eXIf", binary.BigEndian, true)
	jpegNotes([]byte("\xff\xe1\xff\xff"))
}

func TestALargePhotoIsMadeSmallerAndASmallOneStays(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ width, height, wide, high int }{
		{1, 1, 1, 1}, {1024, 1024, 1024, 1024}, {1025, 512, 1024, 511}, {3000, 2000, 1024, 683}, {2000, 3000, 683, 1024},
		{5000, 2, 1024, 1}, {1, 5000, 1, 1024},
	} {
		photo, picture := develop(t, asPNG(t, quarters(x.width, x.height)))
		if photo.Width != x.wide || max(photo.Height, x.high)-min(photo.Height, x.high) > 1 {
			t.Errorf("%d × %d became %d × %d", x.width, x.height, photo.Width, photo.Height)
		}
		if got := corners(picture); x.width >= 1000 && x.height >= 500 && got != [4]color.RGBA{red, green, blue, white} {
			t.Errorf("%d × %d has %v", x.width, x.height, got)
		}
	}
}

func TestWhatCanBeSeenThroughIsLaidOnWhite(t *testing.T) {
	t.Parallel()
	glass := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	if _, picture := develop(t, asPNG(t, glass)); corners(picture) != [4]color.RGBA{white, white, white, white} {
		t.Errorf("%v", corners(picture))
	}
}

// hugePNG returns a PNG that claims so many pixels, and has none.
func hugePNG(width, height uint32) []byte {
	head := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	head = append(binary.BigEndian.AppendUint32(head, height), 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}

// hugeJPEG returns a JPEG whose frame claims so many pixels.
func hugeJPEG(t *testing.T, width, height uint16) []byte {
	file := asJPEG(t, quarters(16, 16))
	at := bytes.Index(file, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(file[at+5:], height)
	binary.BigEndian.PutUint16(file[at+7:], width)
	return file
}

func TestWhatIsNoPhotoIsRefusedInWords(t *testing.T) {
	t.Parallel()
	whole := asJPEG(t, quarters(400, 400))
	hugeWebP := []byte("RIFF\x00\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f\xff\xff\xff\x0f\x00")
	binary.LittleEndian.PutUint32(hugeWebP[4:], uint32(len(hugeWebP)-8))
	for name, x := range map[string]struct {
		file  []byte
		words string
	}{
		"nothing":          {nil, "is empty"},
		"text":             {[]byte("<svg onload=alert(1)>"), "JPEG, PNG or WebP"},
		"a GIF":            {[]byte("GIF89a\x01\x00\x01\x00"), "JPEG, PNG or WebP"},
		"a PDF":            {[]byte("%PDF-1.7"), "JPEG, PNG or WebP"},
		"half a JPEG":      {whole[:len(whole)/2], "damaged"},
		"a JPEG's head":    {whole[:3], "damaged"},
		"a damaged PNG":    {hugePNG(10, 10), "damaged"},
		"an empty PNG":     {hugePNG(0, 10), "damaged"},
		"a huge PNG":       {hugePNG(40_000, 40_000), "40000 × 40000 pixels"},
		"a PNG of a line":  {hugePNG(1<<31-1, 1), "pixels"},
		"a huge JPEG":      {hugeJPEG(t, 40_000, 40_000), "40000 × 40000 pixels"},
		"a huge WebP":      {hugeWebP, "16384 × 16384 pixels"},
		"too many bytes":   {append(whole, make([]byte, MaxPhotoBytes)...), "up to 10 MB"},
		"a program inside": {[]byte("\x89PNG\r\n\x1a\n<?php"), "damaged"},
	} {
		_, err := NewDarkroom().Develop(t.Context(), x.file, Portrait)
		if unfit, found := errors.AsType[Unfit](err); !found || !strings.Contains(string(unfit), x.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAHugePictureCostsNothing(t *testing.T) {
	file, room := hugePNG(40_000, 40_000), NewDarkroom()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		room.Develop(t.Context(), file, Portrait)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) / 100; took > 64<<10 {
		t.Errorf("refusing it took %d bytes", took)
	}
}

func TestPhotosWaitForASeat(t *testing.T) {
	t.Parallel()
	room := NewDarkroom()
	room.seats <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := room.Develop(ctx, asPNG(t, quarters(4, 4)), Portrait); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-room.seats
	if _, err := room.Develop(t.Context(), asPNG(t, quarters(4, 4)), Portrait); err != nil || len(room.seats) != 0 {
		t.Errorf("%v", err)
	}
}

func FuzzDevelop(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff"))
	f.Add(hugePNG(3, 3))
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f\x03\xc0\x00\x00\x00"))
	room := NewDarkroom()
	f.Fuzz(func(t *testing.T, file []byte) {
		photo, err := room.Develop(t.Context(), file, Portrait)
		if unfit, found := errors.AsType[Unfit](err); err != nil && !found || found && unfit == "" {
			t.Errorf("%v", err)
		}
		if err == nil && (photo.Width > photoSide || photo.Height > photoSide || len(photo.Data) == 0) {
			t.Errorf("%d × %d", photo.Width, photo.Height)
		}
	})
}
