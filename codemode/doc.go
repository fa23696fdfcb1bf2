// Package codemode speaks the dialect of the npm package @cloudflare/codemode: a host
// hands over a program as a language model wrote it, namespaces of functions that it may
// call, and gets back {result, error, logs}. The package translates that into the native
// contract ([executor.Interface]) and its results back; it runs nothing itself.
//
// The dialect's names, texts and formats are kept to the letter where its users depend on
// them, and repaired where they are merely broken: see docs/codemode.md for both lists.
package codemode
