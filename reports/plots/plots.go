// Package plots draws the plots of the report with gonum/plot, as SVG that takes its
// colours from the page and says in words what it shows.
//
// Only the drawing packages of gonum/plot are used (vg, vg/draw). Package plot itself
// links a backend for each kind of file, with fonts and libraries that a page has no
// use for, one of which has no licence for software.
package plots

// Samples is a row of samples on an axis.
type Samples struct {
	// Label names the row, Note stands at its end.
	Label, Note string
	Values      []float64
	// Outliers are indexes of Values.
	Outliers []int
	// Center lies between Low and High, in the units of Values.
	Center, Low, High float64
	// Ceiling is a bound to draw, 0 for none.
	Ceiling float64
	// Ink is that of the note.
	Ink Ink
}

// Distribution draws rows of samples: each sample a dot, one far from the others a
// ring, the median a line with its interval, the ceiling dashed. The axis is
// logarithmic when Log says so and all values are above 0.
type Distribution struct {
	ID, Title, Description string
	Rows                   []Samples
	Log                    bool
	// Format returns the text of a tick, Unit is what the values are in.
	Format func(float64) string
	Unit   string
	// Span are values that the axis holds beside the samples.
	Span []float64
}

// Picture draws it.
func (d *Distribution) Picture() Picture {
	values := append([]float64(nil), d.Span...)
	for _, r := range d.Rows {
		values = append(values, r.Values...)
		if r.Ceiling != 0 {
			values = append(values, r.Ceiling)
		}
	}
	a, ok := newAxis(values, d.Log)
	if !ok {
		return Picture{}
	}
	return picture(d.ID, d.Title, d.Description, len(d.Rows), a, d.Format, func(f *frame, i int) {
		r := &d.Rows[i]
		f.texts(i, r.Label, r.Note, r.Ink)
		if drawable(r.Low) && drawable(r.High) && r.High > r.Low {
			f.rectangle(i, Faint, r.Low, r.High)
		}
		f.dots(i, r.Values, r.Outliers)
		if r.Center != 0 {
			f.tick(i, Mark, 2, r.Center)
		}
		if r.Ceiling != 0 {
			f.tick(i, Bad, 1.5, r.Ceiling, 4, 3)
		}
	})
}

// Scale multiplies every value of the rows.
func (d *Distribution) Scale(by float64) {
	for i := range d.Rows {
		r := &d.Rows[i]
		for k := range r.Values {
			r.Values[k] *= by
		}
		r.Center, r.Low, r.High, r.Ceiling = r.Center*by, r.Low*by, r.High*by, r.Ceiling*by
	}
}

// Interval is a value that lies between two others.
type Interval struct{ Center, Low, High float64 }

// Ratio is a row of a plot of ratios.
type Ratio struct {
	Label, Note string
	Interval
	// Least and Most are what is permitted. Least 0 is for no lower bound.
	Least, Most float64
	// Calibration is what identical builds gave, nil for not known.
	Calibration *Interval
	Ink         Ink
}

// Ratios draws ratios with their intervals, over what is permitted and a line at 1.
type Ratios struct {
	ID, Title, Description string
	Rows                   []Ratio
	Format                 func(float64) string
}

// Picture draws it.
func (p *Ratios) Picture() Picture {
	values := []float64{1}
	found := false
	for _, r := range p.Rows {
		values = append(values, r.Center, r.Low, r.High, r.Most)
		if r.Least > 0 {
			values = append(values, r.Least)
		}
		if r.Calibration != nil {
			values = append(values, r.Calibration.Low, r.Calibration.High)
		}
		found = found || drawable(r.Center) && r.Center > 0
	}
	a, ok := newAxis(values, true)
	if !ok || !found {
		return Picture{}
	}
	return picture(p.ID, p.Title, p.Description, len(p.Rows), a, p.Format, func(f *frame, i int) {
		r := &p.Rows[i]
		f.texts(i, r.Label, r.Note, r.Ink)
		least := r.Least
		if least <= 0 {
			least = a.low
		}
		if drawable(r.Most) && r.Most > least {
			f.rectangle(i, Faint, least, r.Most)
		}
		f.tick(i, Axis, 1, 1)
		if c := r.Calibration; c != nil {
			f.interval(f.middle(i)+7, Quiet, 1, c.Low, c.Center, c.High)
		}
		f.interval(f.middle(i)-2, r.Ink, 2, r.Low, r.Center, r.High)
	})
}
