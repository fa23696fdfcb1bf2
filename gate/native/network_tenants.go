package native

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks of a tenant that asks for what is not its own.

var networkTenants = []Attack{
	{Name: "network-tenant-stated", Source: "S06 W21", Title: "a request that states a tenant is refused, and nothing of it runs", Run: tenantStated},
	{Name: "network-tenants-processes", Source: "S06", Title: "tenants share no process, also when the part that one names is called as another", Run: tenantsProcesses},
	{Name: "network-tenant-raises", Source: "own", Title: "a request cannot state more than its tenant's maxima, nor ask for grants that it has not", Run: tenantRaises},
	{Name: "network-tenant-lowered", Source: "own", Title: "a tenant's maximum holds where a request states nothing", Run: tenantLowered},
	{Name: "network-tenant-names", Source: "own", Title: "a tenant's name cannot look like a part of another", Run: tenantNames},
}

func tenantStated(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Name: "red"})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	for _, stated := range []string{"blue", "red", "red/part", "/"} {
		if err := w.request(ctx, "one", protocol.Request{Source: "() => 1", Tenant: stated}); err != nil {
			return err
		}
		if err := w.wantFault(ctx, "a request of the tenant "+stated, "one", protocol.CodeInvalidRequest); err != nil {
			return err
		}
		_, result, err := e.post(ctx, fmt.Sprintf(`{"source":"() => 1","tenant":%q}`, stated), nil)
		if err != nil {
			return err
		}
		if err := wantFault("a posted request of the tenant "+stated, result, protocol.CodeInvalidRequest); err != nil {
			return err
		}
	}
	if n := e.executor.Stats().Executions; n != 0 {
		return violated("%d programs ran", n)
	}
	return e.wantServed(ctx, "a request that states none")
}

func tenantsProcesses(ctx context.Context, h *Host) error {
	e, t, err := h.tokens(ctx, pool.Config{Size: 1}, server.Tenant{Name: "red", Divides: true}, server.Tenant{Name: "blue", Divides: true})
	if err != nil {
		return err
	}
	owner := map[int]string{}
	for range 2 {
		for _, who := range []struct{ tenant, part string }{{"red", ""}, {"red", "blue"}, {"blue", ""}, {"red", "red"}, {"blue", "red"}, {"red", "part"}} {
			w, err := e.connect(ctx, t.header(who.tenant))
			if err != nil {
				return err
			}
			if err := w.request(ctx, "one", protocol.Request{Source: "() => 1", Tenant: who.part}); err != nil {
				return err
			}
			r, err := w.result(ctx, "one")
			if err != nil {
				return err
			}
			name := fmt.Sprintf("the part %q of %s", who.part, who.tenant)
			if err := wantValue("an execution of "+name, r, "1"); err != nil {
				return err
			}
			if other, ok := owner[r.Usage.Child]; ok && other != name {
				return violated("the child %d ran programs of %s and of %s", r.Usage.Child, other, name)
			}
			owner[r.Usage.Child] = name
		}
	}
	h.Note("children %v", owner)
	return nil
}

func tenantRaises(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Max: protocol.Limits{Wall: time.Second, Heap: 32 << 20, ToolCalls: 5}})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	for what, r := range map[string]protocol.Request{
		"more time":                 {Limits: protocol.Limits{Wall: time.Second + time.Millisecond}},
		"more memory":               {Limits: protocol.Limits{Heap: 33 << 20}},
		"more calls":                {Limits: protocol.Limits{ToolCalls: 6}},
		"code generation":           {Grants: []protocol.Grant{protocol.GrantEval}},
		"a grant that is not there": {Grants: []protocol.Grant{"network"}},
	} {
		r.Source = "() => 1"
		if err := w.request(ctx, "one", r); err != nil {
			return err
		}
		m, err := w.receive(ctx)
		if err != nil {
			// One that no executor could take is a violation, which ends the connection.
			if w, err = e.connect(ctx, nil); err != nil {
				return err
			}
			continue
		}
		result, ok := m.(*protocol.ResultMessage)
		if !ok {
			return violated("%s: a %s message came", what, m.MessageType())
		}
		if err := wantFault(what, &result.Result, protocol.CodeInvalidRequest); err != nil {
			return err
		}
	}
	if n := e.executor.Stats().Executions; n != 0 {
		return violated("%d programs ran", n)
	}
	return e.wantServed(ctx, "a request within the maxima")
}

func tenantLowered(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Max: protocol.Limits{Wall: 300 * time.Millisecond}})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.execute(ctx, "one", "() => { for (;;) {} }"); err != nil {
		return err
	}
	return w.wantFault(ctx, "an endless loop", "one", protocol.CodeDeadlineExceeded)
}

func tenantNames(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	for _, name := range []string{"", "red/blue", "/", "red blue", "red\n", "réd", "red\x00", strings.Repeat("r", 101)} {
		if _, err := server.NewTenant(server.Tenant{Name: name}, e.executor); err == nil {
			return violated("the name %q was taken", name)
		}
	}
	return nil
}
