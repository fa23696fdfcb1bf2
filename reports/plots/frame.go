package plots

import (
	"html/template"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file owns what all plots have in common: rows on one axis, drawn once for a wide
// page and once for a narrow one.

// Picture is a plot in two shapes, of which the page shows the one that fits. Both are
// "" when there is nothing to draw.
type Picture struct{ Wide, Narrow template.HTML }

// Empty reports whether there is nothing to draw.
func (p Picture) Empty() bool { return p.Wide == "" }

// shape is the measures of a plot.
type shape struct {
	class, id   string
	width       vg.Length
	left, right vg.Length // beside the rows
	row         vg.Length // the height of a row
	label       vg.Length // of which this is for the label, 0 for one beside the row
	ticks       int
	// labels and notes are how many characters there is room for.
	labels, notes int
}

var (
	wide   = shape{class: "plot wide", id: "w", labels: 28, notes: 18, width: 880, left: 200, right: 150, row: 30, ticks: 8}
	narrow = shape{class: "plot narrow", id: "n", labels: 30, notes: 18, width: 340, left: 10, right: 10, row: 50, label: 20, ticks: 4}
)

// The heights above and below the rows.
const (
	above = 4
	below = 24
)

// frame is a plot being drawn.
type frame struct {
	shape
	draw.Canvas
	canvas *canvas
	axis   axis
	rows   int
}

// picture draws a plot with n rows in both shapes.
func picture(id, title, description string, n int, a axis, format func(float64) string, row func(f *frame, i int)) Picture {
	render := func(s shape) template.HTML {
		c := newCanvas(s.width, vg.Length(n)*s.row+above+below)
		f := &frame{shape: s, Canvas: draw.New(c), canvas: c, axis: a, rows: n}
		f.grid(format)
		for i := range n {
			row(f, i)
		}
		return template.HTML(c.svg(s.class, id+"-"+s.id, title, description))
	}
	return Picture{render(wide), render(narrow)}
}

// x returns where a value is drawn.
func (f *frame) x(v float64) vg.Length {
	return f.left + vg.Length(f.axis.at(v))*(f.width-f.left-f.right)
}

// middle returns the height at which a row's marks are.
func (f *frame) middle(i int) vg.Length {
	return f.canvas.height - above - vg.Length(i)*f.row - f.label - (f.row-f.label)/2
}

// band returns the lower and the upper edge of a row's marks.
func (f *frame) band(i int) (low, high vg.Length) {
	half := (f.row-f.label)/2 - 3
	return f.middle(i) - half, f.middle(i) + half
}

// grid draws the axis with its ticks.
func (f *frame) grid(format func(float64) string) {
	f.StrokeLine2(draw.LineStyle{Color: Axis, Width: 1}, f.left, below, f.width-f.right, below)
	last := vg.Length(math.Inf(-1))
	for _, tick := range f.axis.ticks(f.ticks) {
		x := f.x(tick)
		f.StrokeLine2(draw.LineStyle{Color: Faint, Width: 1}, x, below, x, f.canvas.height-above)
		text := format(tick)
		if half := vg.Length(len(text)) * 3.4; x-half > last && x-half >= 0 && x+half <= f.width {
			f.canvas.write(vg.Point{X: x, Y: below - 16}, middle, Quiet, text)
			last = x + half + 6
		}
	}
}

// texts writes a row's label and its note, whose ink says how it came out.
func (f *frame) texts(i int, label, note string, ink Ink) {
	label, note = shorten(label, f.labels), shorten(note, f.notes)
	if f.label == 0 {
		y := f.middle(i) - 4
		f.canvas.write(vg.Point{X: f.left - 12, Y: y}, end, Text, label)
		f.canvas.write(vg.Point{X: f.width - f.right + 10, Y: y}, start, ink, note)
		return
	}
	y := f.canvas.height - above - vg.Length(i)*f.row - f.label + 4
	f.canvas.write(vg.Point{X: f.left, Y: y}, start, Text, label)
	f.canvas.write(vg.Point{X: f.width - f.right, Y: y}, end, ink, note)
}

// rectangle fills what lies between two values at a row's height.
func (f *frame) rectangle(i int, ink Ink, from, to float64) {
	low, high := f.band(i)
	a, b := f.x(from), f.x(to)
	f.FillPolygon(ink, []vg.Point{{X: a, Y: low}, {X: b, Y: low}, {X: b, Y: high}, {X: a, Y: high}})
}

// interval draws a line from value to value, and a mark between them.
func (f *frame) interval(y vg.Length, ink Ink, width vg.Length, low, center, high float64) {
	if !drawable(center) {
		return
	}
	if drawable(low) && drawable(high) {
		f.StrokeLine2(draw.LineStyle{Color: ink, Width: width}, f.x(low), y, f.x(high), y)
	}
	f.DrawGlyphNoClip(draw.GlyphStyle{Color: ink, Radius: width * 1.8, Shape: draw.CircleGlyph{}}, vg.Point{X: f.x(center), Y: y})
}

// tick draws a line across a row at a value.
func (f *frame) tick(i int, ink Ink, width vg.Length, v float64, dashes ...vg.Length) {
	if !drawable(v) {
		return
	}
	low, high := f.band(i)
	f.StrokeLine2(draw.LineStyle{Color: ink, Width: width, Dashes: dashes}, f.x(v), low, f.x(v), high)
}

// dots draws samples in their order, on three heights so that neighbours are told
// apart; those that lie far from the others are rings.
func (f *frame) dots(i int, values []float64, outliers []int) {
	for k, v := range values {
		if !drawable(v) {
			continue
		}
		style := draw.GlyphStyle{Color: Data, Radius: 2.2, Shape: draw.CircleGlyph{}}
		if slices.Contains(outliers, k) {
			style.Shape, style.Radius = draw.RingGlyph{}, 3
		}
		f.DrawGlyphNoClip(style, vg.Point{X: f.x(v), Y: f.middle(i) + vg.Length(k%3-1)*4})
	}
}

// shorten cuts a text to n characters, the ellipsis included.
func shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
