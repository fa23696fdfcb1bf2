package history

import (
	"fmt"
	"strings"

	"github.com/isogate/isogate/reports/plots"
)

// This file owns the series as a picture.

// SVG draws the series one below the other: the medians, the quartiles as a band, and
// the commits along the axis. It is a document of its own.
func SVG(all []*Series) string {
	var course plots.Course
	var words []string
	for _, s := range all {
		panel := plots.Panel{Title: s.Metric(), Format: s.Show}
		if s.Better != "" {
			panel.Note = s.Better + " is better"
		}
		for i := range s.Points {
			p := &s.Points[i]
			panel.Points = append(panel.Points, plots.Point{Label: p.Label(), Low: p.Lower, Center: p.Median, High: p.Upper, Doubtful: p.Unfit})
		}
		course.Panels = append(course.Panels, panel)
		medians := s.Medians()
		words = append(words, fmt.Sprintf("%s from %s to %s in %d runs", s.Metric(), s.Show(medians[0]), s.Show(medians[len(medians)-1]), len(medians)))
	}
	course.Title, course.Description = "Measurements over the recorded runs", strings.Join(words, "; ")
	return course.SVG()
}
