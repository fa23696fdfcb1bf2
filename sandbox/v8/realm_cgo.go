//go:build cgo && realms

package v8

// #include <stdlib.h>
// #include "shim.h"
// int isogate_offer_realms(isogate_isolate* isolate, const char* name);
import "C"

import "unsafe"

// This file owns the offer of further realms, which only builds with the tag realms have.

// OfferRealms defines a global function of that name which returns the global object of
// a new realm of the isolate. It must be called between Begin and Run. It reports
// whether it could.
func (i *Isolate) OfferRealms(name string) bool {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	return C.isogate_offer_realms(i.isolate, cname) != 0
}
