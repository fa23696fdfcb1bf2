#!/bin/sh
# A tool as a command: reads {"a":1,"b":2} on standard input and writes a + b.
# For `isogate run --tool tools.add=./examples/add.sh`. Plain sh: whole numbers only.
set -eu

# One line of JSON, with or without a newline at its end.
IFS= read -r text || test -n "$text"

# member NAME prints the whole number that follows "NAME": in the input.
member() {
	case $text in
	*"\"$1\":"*) ;;
	*) echo "add: the argument has no member \"$1\": $text" >&2 && exit 1 ;;
	esac
	value=${text#*"\"$1\":"}
	value=${value%%[,\}]*}
	case ${value#-} in
	'' | *[!0-9]*) echo "add: member \"$1\" is no whole number: $value" >&2 && exit 1 ;;
	esac
	echo "$value"
}

a=$(member a)
b=$(member b)
echo $((a + b))
