package pool

import "slices"

// This file owns the order of those that wait: tenants take turns, and within a
// tenant it is first come, first served. So a tenant waits for one execution of
// each other tenant at most before its own next one, however many those have
// waiting.
//
// Who gives way when the queue is full is what is known as longest queue drop:
// the tenant that holds most of it loses its last comer to one that holds less.
// The queue is fully used by one tenant while it is alone, and no number is to be
// configured.

// turns are waiting executions. The zero value has none.
type turns struct {
	tenants []*line // the tenant whose turn it is first; none is empty
	length  int
}

// line is one tenant's waiting executions, longest waiting first.
type line struct {
	tenant  string
	waiting []*execution
}

func (t *turns) lineOf(tenant string) int {
	return slices.IndexFunc(t.tenants, func(l *line) bool { return l.tenant == tenant })
}

// push lets an execution wait. A tenant that had none waiting is last in turn.
func (t *turns) push(x *execution) {
	t.length++
	if i := t.lineOf(x.request.Tenant); i >= 0 {
		t.tenants[i].waiting = append(t.tenants[i].waiting, x)
		return
	}
	t.tenants = append(t.tenants, &line{x.request.Tenant, []*execution{x}})
}

// pushBack gives an execution that was taken out its place as the first again.
func (t *turns) pushBack(x *execution) {
	t.length++
	l := &line{tenant: x.request.Tenant}
	if i := t.lineOf(x.request.Tenant); i >= 0 {
		l = t.tenants[i]
		t.tenants = slices.Delete(t.tenants, i, i+1)
	}
	l.waiting = slices.Insert(l.waiting, 0, x)
	t.tenants = slices.Insert(t.tenants, 0, l)
}

// first returns the execution whose turn it is. There must be one.
func (t *turns) first() *execution { return t.tenants[0].waiting[0] }

func (t *turns) has(x *execution) bool {
	i := t.lineOf(x.request.Tenant)
	return i >= 0 && slices.Contains(t.tenants[i].waiting, x)
}

// remove takes an execution out and reports whether it waited. When it was the
// first, its tenant's next turn is after all others.
func (t *turns) remove(x *execution) bool {
	i := t.lineOf(x.request.Tenant)
	if i < 0 {
		return false
	}
	l := t.tenants[i]
	at := slices.Index(l.waiting, x)
	if at < 0 {
		return false
	}
	t.length--
	l.waiting = slices.Delete(l.waiting, at, at+1)
	if len(l.waiting) == 0 {
		t.tenants = slices.Delete(t.tenants, i, i+1)
	} else if i == 0 && at == 0 {
		t.tenants = append(slices.Delete(t.tenants, 0, 1), l)
	}
	return true
}

// surplus returns who has to go when x, which waits, is one too many: the last
// comer of the tenant with the longest line, or x when its own is as long.
func (t *turns) surplus(x *execution) *execution {
	longest := t.tenants[t.lineOf(x.request.Tenant)]
	for _, l := range t.tenants {
		if len(l.waiting) > len(longest.waiting) {
			longest = l
		}
	}
	return longest.waiting[len(longest.waiting)-1]
}

// all returns everybody, tenant by tenant.
func (t *turns) all() []*execution {
	var all []*execution
	for _, l := range t.tenants {
		all = append(all, l.waiting...)
	}
	return all
}
