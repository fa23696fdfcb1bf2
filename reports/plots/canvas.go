package plots

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// This file owns the canvas: what gonum/plot draws on, written as SVG for a page that
// has a style of its own.

// Ink is a colour by its role; what it looks like, in light and in dark, is the page's.
// As a [color.Color] it is black.
type Ink string

// The inks, which are classes in the SVG.
const (
	Axis  Ink = "pa" // axes and the lines of the grid
	Faint Ink = "pf" // bands, and what stands behind
	Data  Ink = "pd" // samples
	Mark  Ink = "pm" // medians and intervals
	Good  Ink = "pg"
	Bad   Ink = "pb"
	Doubt Ink = "pu"
	Text  Ink = "pt" // text
	Quiet Ink = "pq" // text that says less
)

// RGBA implements [color.Color].
func (Ink) RGBA() (r, g, b, a uint32) { return color.Black.RGBA() }

// canvas implements [vg.CanvasSizer] for inks only. Lengths are units of the SVG, the
// origin is at the lower left as gonum/plot has it. It does neither rotate nor scale,
// because nothing here does.
type canvas struct {
	width, height vg.Length
	body          strings.Builder
	stack         []state
}

type state struct {
	ink    Ink
	line   vg.Length
	dashes string
	dx, dy vg.Length
}

func newCanvas(width, height vg.Length) *canvas {
	c := &canvas{width: width, height: height, stack: []state{{}}}
	vg.Initialize(c)
	return c
}

// Size implements [vg.CanvasSizer].
func (c *canvas) Size() (x, y vg.Length) { return c.width, c.height }

func (c *canvas) top() *state { return &c.stack[len(c.stack)-1] }

// SetLineWidth implements [vg.Canvas].
func (c *canvas) SetLineWidth(w vg.Length) { c.top().line = w }

// SetLineDash implements [vg.Canvas]; the offset is not used.
func (c *canvas) SetLineDash(pattern []vg.Length, _ vg.Length) {
	parts := make([]string, len(pattern))
	for i, p := range pattern {
		parts[i] = number(float64(p))
	}
	c.top().dashes = strings.Join(parts, " ")
}

// SetColor implements [vg.Canvas]; a colour that is no ink is the text's.
func (c *canvas) SetColor(to color.Color) {
	ink, ok := to.(Ink)
	if !ok {
		ink = Text
	}
	c.top().ink = ink
}

// Rotate implements [vg.Canvas]. Nothing here is turned.
func (c *canvas) Rotate(float64) { panic("plots: the canvas does not rotate") }

// Scale implements [vg.Canvas]. Nothing here is scaled.
func (c *canvas) Scale(float64, float64) { panic("plots: the canvas does not scale") }

// Translate implements [vg.Canvas].
func (c *canvas) Translate(by vg.Point) {
	c.top().dx += by.X
	c.top().dy += by.Y
}

// Push implements [vg.Canvas].
func (c *canvas) Push() { c.stack = append(c.stack, *c.top()) }

// Pop implements [vg.Canvas].
func (c *canvas) Pop() { c.stack = c.stack[:len(c.stack)-1] }

// Stroke implements [vg.Canvas].
func (c *canvas) Stroke(p vg.Path) {
	s := c.top()
	if s.line <= 0 || len(p) == 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path class="%s s" d="%s"`, s.ink, c.data(p))
	if s.line != 1 {
		fmt.Fprintf(&c.body, ` stroke-width="%s"`, number(float64(s.line)))
	}
	if s.dashes != "" {
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, s.dashes)
	}
	c.body.WriteString("/>")
}

// Fill implements [vg.Canvas].
func (c *canvas) Fill(p vg.Path) {
	if len(p) > 0 {
		fmt.Fprintf(&c.body, `<path class="%s" d="%s"/>`, c.top().ink, c.data(p))
	}
}

// FillString implements [vg.Canvas]. The page's fonts are not known here, so text is
// placed by [canvas.write], which lets the browser align it.
func (c *canvas) FillString(_ font.Face, at vg.Point, text string) {
	c.write(at, start, c.top().ink, text)
}

// DrawImage implements [vg.Canvas]. Nothing here holds pictures.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) { panic("plots: the canvas holds no pictures") }

// anchor says which end of a text is at its point.
type anchor string

const (
	start  anchor = ""
	middle anchor = "m"
	end    anchor = "e"
)

// write writes text with its baseline at a point.
func (c *canvas) write(at vg.Point, a anchor, ink Ink, text string) {
	x, y := c.at(at)
	class := string(ink)
	if a != start {
		class += " " + string(a)
	}
	fmt.Fprintf(&c.body, `<text class="%s" x="%s" y="%s">%s</text>`, class, x, y, html.EscapeString(text))
}

// at returns a point as SVG has it, from the upper left.
func (c *canvas) at(p vg.Point) (x, y string) {
	return number(float64(p.X + c.top().dx)), number(float64(c.height - p.Y - c.top().dy))
}

// data returns a path in SVG's letters.
func (c *canvas) data(p vg.Path) string {
	var b strings.Builder
	for _, part := range p {
		x, y := c.at(part.Pos)
		switch part.Type {
		case vg.MoveComp:
			b.WriteString("M" + x + " " + y)
		case vg.LineComp:
			b.WriteString("L" + x + " " + y)
		case vg.ArcComp:
			c.arc(&b, part)
		case vg.CurveComp:
			b.WriteString(map[int]string{1: "Q", 2: "C"}[len(part.Control)])
			for _, control := range part.Control {
				cx, cy := c.at(control)
				b.WriteString(cx + " " + cy + " ")
			}
			b.WriteString(x + " " + y)
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// arc writes an arc, a whole circle in two halves: one whose ends are the same point
// would not be drawn.
func (c *canvas) arc(b *strings.Builder, part vg.PathComp) {
	r := number(float64(part.Radius))
	steps := 1
	if math.Abs(part.Angle) > math.Pi {
		steps = 2
	}
	sweep := 0
	if part.Angle < 0 {
		sweep = 1 // the y axis is turned over
	}
	for i := 1; i <= steps; i++ {
		sin, cos := math.Sincos(part.Start + part.Angle*float64(i)/float64(steps))
		x, y := c.at(vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)})
		fmt.Fprintf(b, "A%s %s 0 0 %d %s %s", r, r, sweep, x, y)
	}
}

// number writes a length with one decimal, which is finer than a screen shows.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// svg returns the whole picture. Title and description are read to who does not see it.
func (c *canvas) svg(class, id, title, description string) string {
	return fmt.Sprintf(`<svg class="%s" role="img" aria-labelledby="%s-t %s-d" viewBox="0 0 %s %s" width="%s" height="%s"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>%s</svg>`,
		class, id, id, number(float64(c.width)), number(float64(c.height)), number(float64(c.width)), number(float64(c.height)),
		id, html.EscapeString(title), id, html.EscapeString(description), c.body.String())
}
