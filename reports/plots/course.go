package plots

import (
	"fmt"
	"html"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file owns the course of figures over several runs, as a document of its own.

// Point is a figure in one run.
type Point struct {
	// Label names the run.
	Label string
	// Center lies between Low and High, which are the ends of the band.
	Low, Center, High float64
	// Doubtful draws the point as a ring.
	Doubtful bool
}

// Panel is one figure over the runs, in their order.
type Panel struct {
	Title, Note string
	Points      []Point
	// Format returns the text of a tick.
	Format func(float64) string
}

// Course draws panels one below the other: a line through the points, and a band around
// it. Where a value cannot be drawn the line has a gap.
type Course struct {
	Title, Description string
	Panels             []Panel
}

// The measures of a course, in units of the SVG.
const (
	courseWidth  = 880
	panelHeight  = 220
	panelLeft    = 90 // for the ticks' texts
	panelRight   = 20
	panelTop     = 34 // for the title
	panelBottom  = 40 // for the labels
	labelWidth   = 76 // the room that a label needs
	courseStyle  = `text{font:12px -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;fill:#1c1c1c}.m{text-anchor:middle}.e{text-anchor:end}.s{fill:none}.pa.s{stroke:#767676}.pf{fill:#dfe5ec}.pf.s{stroke:#dfe5ec;fill:none}.pm{fill:#0b5394}.pm.s{stroke:#0b5394;fill:none}.pu{fill:#855000}.pu.s{stroke:#855000;fill:none}text.pq{fill:#5a5a5a}.bg{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#eee}.pf{fill:#2b3440}.pf.s{stroke:#2b3440}.pm{fill:#8ec4ff}.pm.s{stroke:#8ec4ff}.pu{fill:#efb65c}.pu.s{stroke:#efb65c}text.pq{fill:#b4b4b4}.bg{fill:#16191d}}`
	courseHeader = `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" viewBox="0 0 %s %s" width="%s" height="%s"><title id="t">%s</title><desc id="d">%s</desc><style>%s</style><rect class="bg" width="100%%" height="100%%"/>%s</svg>` + "\n"
)

// SVG draws the panels.
func (c *Course) SVG() string {
	canvas := newCanvas(courseWidth, vg.Length(max(1, len(c.Panels)))*panelHeight)
	for i := range c.Panels {
		c.Panels[i].draw(canvas, canvas.height-vg.Length(i+1)*panelHeight)
	}
	width, height := number(float64(canvas.width)), number(float64(canvas.height))
	return fmt.Sprintf(courseHeader, width, height, width, height, html.EscapeString(c.Title), html.EscapeString(c.Description), courseStyle, canvas.body.String())
}

// draw draws a panel whose lower edge is at a height.
func (p *Panel) draw(canvas *canvas, bottom vg.Length) {
	d := draw.New(canvas)
	low, high := bottom+panelBottom, bottom+panelHeight-panelTop
	canvas.write(vg.Point{X: panelLeft, Y: high + 14}, start, Text, shorten(p.Title, 80))
	canvas.write(vg.Point{X: courseWidth - panelRight, Y: high + 14}, end, Quiet, shorten(p.Note, 30))
	var values []float64
	for _, point := range p.Points {
		values = append(values, point.Low, point.Center, point.High)
	}
	a, ok := newAxis(values, false)
	if !ok {
		canvas.write(vg.Point{X: panelLeft, Y: (low + high) / 2}, start, Quiet, "nothing to draw")
		return
	}
	y := func(v float64) vg.Length { return low + vg.Length(a.at(v))*(high-low) }
	for _, tick := range a.ticks(4) {
		d.StrokeLine2(draw.LineStyle{Color: Faint, Width: 1}, panelLeft, y(tick), courseWidth-panelRight, y(tick))
		canvas.write(vg.Point{X: panelLeft - 8, Y: y(tick) - 4}, end, Quiet, shorten(p.Format(tick), 12))
	}
	d.StrokeLine2(draw.LineStyle{Color: Axis, Width: 1}, panelLeft, low, courseWidth-panelRight, low)
	p.labels(canvas, low)
	for _, part := range p.parts() {
		p.drawPart(d, part, y)
	}
}

// x returns where the i-th point is.
func (p *Panel) x(i int) vg.Length {
	const inside = 12 // so that no dot is on the edge
	from, to := vg.Length(panelLeft+inside), vg.Length(courseWidth-panelRight-inside)
	if len(p.Points) == 1 {
		return (from + to) / 2
	}
	return from + vg.Length(i)*(to-from)/vg.Length(len(p.Points)-1)
}

// labels writes the names of as many runs as there is room for, always the first and
// the last.
func (p *Panel) labels(canvas *canvas, low vg.Length) {
	n := len(p.Points)
	lastX := vg.Length(math.Inf(-1))
	for i := range p.Points {
		x := p.x(i)
		if i != n-1 && (x-lastX < labelWidth || p.x(n-1)-x < labelWidth) {
			continue
		}
		lastX = x
		a := middle
		if i == n-1 && n > 1 {
			a, x = end, x+12
		}
		canvas.write(vg.Point{X: x, Y: low - 16}, a, Quiet, shorten(p.Points[i].Label, 12))
	}
}

// parts returns the runs of points that can be drawn, as the first and the one behind
// the last.
func (p *Panel) parts() [][2]int {
	var parts [][2]int
	from := -1
	for i := 0; i <= len(p.Points); i++ {
		can := i < len(p.Points) && drawable(p.Points[i].Low) && drawable(p.Points[i].Center) && drawable(p.Points[i].High)
		switch {
		case can && from < 0:
			from = i
		case !can && from >= 0:
			parts = append(parts, [2]int{from, i})
			from = -1
		}
	}
	return parts
}

// drawPart draws the band, the line and the dots of points that follow each other.
func (p *Panel) drawPart(d draw.Canvas, part [2]int, y func(float64) vg.Length) {
	var band, line []vg.Point
	for i := part[0]; i < part[1]; i++ {
		band = append(band, vg.Point{X: p.x(i), Y: y(p.Points[i].High)})
		line = append(line, vg.Point{X: p.x(i), Y: y(p.Points[i].Center)})
	}
	for i := part[1] - 1; i >= part[0]; i-- {
		band = append(band, vg.Point{X: p.x(i), Y: y(p.Points[i].Low)})
	}
	if len(line) > 1 {
		d.FillPolygon(Faint, band)
		d.StrokeLines(draw.LineStyle{Color: Mark, Width: 1.5}, line)
	} else {
		d.StrokeLines(draw.LineStyle{Color: Faint, Width: 6}, band)
	}
	for i, at := range line {
		style := draw.GlyphStyle{Color: Mark, Radius: 2.6, Shape: draw.CircleGlyph{}}
		if p.Points[part[0]+i].Doubtful {
			style.Color, style.Shape, style.Radius = Doubt, draw.RingGlyph{}, 3.5
		}
		d.DrawGlyphNoClip(style, at)
	}
}
