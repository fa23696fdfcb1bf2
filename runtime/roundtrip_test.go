package runtime_test

import (
	"fmt"
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file holds the property test of the guest's codec: what is encoded,
// checked by Go's decoder and decoded again is deeply equal, with the same
// identities.

// makeRandom defines random(seed), which makes a value of every supported kind,
// with repeats and cycles.
const makeRandom = `
function random(seed) {
  let state = seed;
  const next = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n) };
  const made = [];
  const keys = ['a', 'b', '$', 'id', '__proto__', 'é', '', '0', '10', 'toString', 'x"y', '\ud800'];
  const set = (o, k, v) => Object.defineProperty(o, k, { value: v, writable: true, enumerable: true, configurable: true });
  const fill = (o, depth) => { for (let i = next(5); i > 0; i--) set(o, keys[next(keys.length)], any(depth + 1)); return o };
  const keep = (o) => { made.push(o); return o };
  const any = (depth) => {
    switch (next(depth > 5 ? 12 : 22)) {
      case 0: return null;
      case 1: return undefined;
      case 2: return next(2) === 0;
      case 3: return [NaN, Infinity, -Infinity, -0, 0, 1e300, 5e-324, -1.5][next(8)];
      case 4: return next(1e6) - 5e5;
      case 5: return keys[next(keys.length)];
      case 6: return 'text '.repeat(next(20));
      case 7: return BigInt(next(1e9)) ** BigInt(next(5)) * (next(2) ? 1n : -1n);
      case 8: return keep(new Date(next(4) ? next(1e9) * 1000 : NaN));
      case 9: return keep(new RegExp(['a', '(?:)', '[/"]', '\\/x'][next(4)], ['', 'g', 'imsu', 'dy'][next(4)]));
      case 10: return keep(new [Uint8Array, Int16Array, Float64Array, BigUint64Array, Uint8ClampedArray][next(5)](next(6)));
      case 11: return made.length > 0 ? made[next(made.length)] : 'none';
      case 12: case 13: case 14: return fill(keep({}), depth);
      case 15: case 16: { const a = keep([]); const n = next(25); for (let i = 0; i < n; i++) if (next(6)) a[i] = any(depth + 1); a.length = n; return a }
      case 17: { const m = keep(new Map()); for (let i = next(4); i > 0; i--) m.set(any(depth + 1), any(depth + 1)); return m }
      case 18: { const s = keep(new Set()); for (let i = next(4); i > 0; i--) s.add(any(depth + 1)); return s }
      case 19: {
        const e = keep(next(2) ? new TypeError('m' + next(9)) : new AggregateError([], 'all'));
        if (next(2)) delete e.stack; else e.stack = 'Error\n    at x (y:1:1)';
        if (next(2)) Object.defineProperty(e, 'cause', { value: any(depth + 1), writable: true, configurable: true });
        if (e instanceof AggregateError) for (let i = next(3); i > 0; i--) e.errors.push(any(depth + 1));
        for (let i = next(3); i > 0; i--) set(e, 'field' + i, any(depth + 1));
        return e;
      }
      default: return keep(new DataView(new ArrayBuffer(next(9))));
    }
  };
  return any(0);
}
`

func TestRandomValuesSurvive(t *testing.T) {
	const each = 60
	for block := range 5 {
		source := makeRandom + deepEqual + fmt.Sprintf(`async () => {
  for (let seed = %d; seed < %d; seed++) {
    const value = random(seed * 7919 + 1);
    pairs.clear();
    if (!equal(value, await tools.echo(value))) return seed;
  }
  return 'all';
}`, block*each, (block+1)*each)
		if got := value(t, source); got != `"all"` {
			t.Errorf("the value of seed %s changes on the way", got)
		}
	}
}

// What the guest encodes, Go reads; what Go then encodes has the same value.
func TestRandomValuesAreReadByGo(t *testing.T) {
	for seed := range 150 {
		result, _ := run(t, makeRandom+fmt.Sprintf("() => random(%d)", seed*7919+1))
		if result.Fault != nil {
			t.Fatalf("seed %d: %v", seed, result.Fault)
		}
		v, err := result.Decode()
		if err != nil {
			// Keys that only differ in lone surrogates cannot be a Go map.
			t.Fatalf("seed %d: %v in %s", seed, err, result.Value)
		}
		if _, err := protocol.Encode(v, protocol.DefaultBounds); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
