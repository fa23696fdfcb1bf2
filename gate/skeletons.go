package gate

// This file owns the texts of the skeletons.

// claimSkeleton is the first form of claim.yaml.
const claimSkeleton = `# The format of this file is specified in threats/doc.go.
id: ID
title: TITLE
# One sentence that can be wrong: who does what, and what happens then. It names the fault, the bound or the value
# that is seen, not what is meant to happen inside.
statement: >
  Write here what holds.
# Which boundary the claim is about: isolate, process, message, network or adapter.
boundary: BOUNDARY
# What it costs when it falls. critical: the host or another tenant is reached; high: a bound or a separation is
# gone; medium: a service gets worse, or a boundary thinner; low: it is untidy.
severity: SEVERITY
# The files that enforce it, relative to the module's root. At least one.
OWNERS
# Attacks are the .js and .ts files beside this one: gate new attack ID NAME. Attacks in Go (gate/native) are named:
# native: [name]
#
# A control removes one protection from a copy of the source; one of the attacks that it names must notice. The text
# to find must occur once in the file. At least one control:
# controls:
#   - name: what-is-removed
#     file: path/of/the/file.go
#     find: "the text that protects"
#     replace: ""
#     trips: [name-of-an-attack]
#
# A known gap has instead of controls:
# status: open
# reason: why it is not kept
#
# As long as this line is here the gate says that the model is incomplete:
draft: true
`

// attackSkeleton is the first form of an attack. As it is it would not hold either: its
// value is not the one that is expected.
const attackSkeleton = `/*---
# The format is specified in threats/doc.go.
title: TITLE
# Where the idea is from: a catalogue's id, an advisory, or own.
source: SOURCE
# What the request may have beside the program:
# tools: [tools.echo]
# limits: {wallMs: 300}
# input: {n: 1}
# The one safe outcome: {value: V}, or {fault: CODE, field: F}, or {any: [one, another]}.
expect: {value: the safe outcome}
# Within what time, and what else must be seen:
# within: 1s
# resident: 300 MiB
# logs: {count: 0}
# As long as this line is here the gate says that the model is incomplete:
draft: true
---*/
() => {
  return "write the attack here; gate replay shows what comes of it";
}
`
