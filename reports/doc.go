// Package reports holds the record of one run of the gate and writes it in the
// forms that people and tools read. It knows neither how an attack is tried nor
// how a measurement is taken.
//
// A [Record] is the only source of every form: what is not in it is in no
// report. It is versioned JSON, see [Read] and [Record.Write].
package reports
