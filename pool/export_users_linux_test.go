package pool

// This file owns what the tests of users need of the package's inside.

// WriteUsers gives a process the users of a child that takes the measures.
func WriteUsers(pid int, measures []string) error { return newUserMap(measures).write(pid) }
