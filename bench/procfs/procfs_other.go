//go:build !linux

package procfs

// This file owns what systems without /proc answer.

// Read returns [ErrUnsupported].
func Read(int) (Process, error) { return Process{}, ErrUnsupported }

// Descendants returns [ErrUnsupported].
func Descendants(int) ([]Process, error) { return nil, ErrUnsupported }

// PeakResident returns [ErrUnsupported].
func PeakResident(int) (int64, error) { return 0, ErrUnsupported }

// Resident returns [ErrUnsupported].
func Resident(int) (int64, error) { return 0, ErrUnsupported }

// Proportional returns [ErrUnsupported].
func Proportional(int) (int64, error) { return 0, ErrUnsupported }

// Anonymous returns [ErrUnsupported].
func Anonymous(int) (int64, error) { return 0, ErrUnsupported }

// Descriptors returns [ErrUnsupported].
func Descriptors(int) (map[int]string, error) { return nil, ErrUnsupported }

// Environment returns [ErrUnsupported].
func Environment(int) ([]string, error) { return nil, ErrUnsupported }
