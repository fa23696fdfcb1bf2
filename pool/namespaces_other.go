//go:build !linux

package pool

// This file owns the platforms without namespaces.

func (p *Pool) spawnFirst(spec spawnSpec) (*process, error) { return p.spawner.spawn(spec) }
