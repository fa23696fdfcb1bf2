package protocol

import (
	"encoding/base64"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// This file owns reading the escapes that hold no other values.

func (d *decoder) specialNumber() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	s, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	switch s {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	case "-0":
		return math.Copysign(0, -1), nil
	}
	return nil, d.fail(at, "the number %.60q, which is none of NaN, Infinity, -Infinity and -0,", s)
}

func (d *decoder) bigInt() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	raw, _, err := d.str()
	if err != nil {
		return nil, err
	}
	digits := strings.TrimPrefix(string(raw), "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' && string(raw) != "0" {
		return nil, d.fail(at, "a bigint that is not a decimal integer without leading zeros")
	}
	if !d.build {
		return nil, nil
	}
	n := parseDecimal(digits)
	if raw[0] == '-' {
		n.Neg(n)
	}
	return n, nil
}

// parseDecimal converts decimal digits. Splitting long ones makes the cost that
// of multiplication; big.Int.SetString is quadratic, and a guest chooses the length.
func parseDecimal(digits string) *big.Int {
	const direct = 4096
	if len(digits) <= direct {
		n, _ := new(big.Int).SetString(digits, 10)
		return n
	}
	// powers[i] is 10 to the power direct<<i.
	powers := []*big.Int{new(big.Int).Exp(big.NewInt(10), big.NewInt(direct), nil)}
	for direct<<len(powers) < len(digits) {
		last := powers[len(powers)-1]
		powers = append(powers, new(big.Int).Mul(last, last))
	}
	var convert func(digits string, level int) *big.Int
	convert = func(digits string, level int) *big.Int {
		if len(digits) <= direct {
			n, _ := new(big.Int).SetString(digits, 10)
			return n
		}
		cut := len(digits) - direct<<level
		if cut <= 0 {
			return convert(digits, level-1)
		}
		high := convert(digits[:cut], level-1)
		high.Mul(high, powers[level])
		return high.Add(high, convert(digits[cut:], level-1))
	}
	return convert(digits, len(powers)-1)
}

func (d *decoder) date() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	c := d.next()
	if c == 'n' {
		return Date{math.NaN()}, d.literal("null")
	}
	at := d.pos
	if c != '-' && (c < '0' || c > '9') {
		return nil, d.unexpected("a number or null")
	}
	text, integer, err := d.number()
	if err != nil {
		return nil, err
	}
	ms, err := strconv.ParseInt(string(text), 10, 64)
	if !integer || err != nil || math.Abs(float64(ms)) > maxDate {
		return nil, d.fail(at, "a date that is not a whole number of milliseconds within ±8.64e15")
	}
	return Date{float64(ms)}, nil
}

func (d *decoder) regExp() (any, error) {
	if err := d.member("source"); err != nil {
		return nil, err
	}
	source, err := d.string()
	if err != nil {
		return nil, err
	}
	if err := d.member("flags"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	flags, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	if !validFlags(flags) {
		return nil, d.fail(at, "the flags %.60q, which are not different letters of dgimsuvy,", flags)
	}
	return RegExp{source, flags}, nil
}

// validFlags reports whether flags are different flags of ECMA-262.
func validFlags(flags string) bool {
	for i := range len(flags) {
		if strings.IndexByte("dgimsuvy", flags[i]) < 0 || strings.IndexByte(flags[:i], flags[i]) >= 0 {
			return false
		}
	}
	return true
}

func (d *decoder) bytes() (any, error) {
	if err := d.member("type"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	name, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	element, ok := elements[name]
	if !ok {
		return nil, d.fail(at, "the type of bytes %.60q, which does not exist,", name)
	}
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at = d.pos
	raw, escaped, err := d.str()
	if err != nil {
		return nil, err
	}
	if escaped {
		raw = appendExact(nil, raw)
	}
	// The decoder passes over line ends, which the length gives away.
	data := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Strict().Decode(data, raw)
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(raw) {
		return nil, d.fail(at, "bytes that are not padded base64 of the standard alphabet")
	}
	if n%element.size != 0 {
		return nil, d.fail(at, "%d bytes, which are no whole elements of a %s,", n, name)
	}
	return Bytes{name, data[:n:n]}, nil
}
