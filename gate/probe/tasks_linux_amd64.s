// This file owns making tasks below Go's runtime: what a call of the clone family
// makes never runs Go code, needs no stack, and ends by itself.

#include "textflag.h"

#define SYS_futex 202
#define SYS_exit 60

// func makeTask(number, a1, a2, a3, a4, a5 uintptr, wait *uint32, most *unix.Timespec) uintptr
//
// The system call leaves all registers but AX, CX and R11 as they were, in the new
// task too. There, with wait nil, the task ends; otherwise it waits on that word
// while it is 0, at most for the given time, and ends then.
TEXT ·makeTask(SB), NOSPLIT, $0-72
	MOVQ number+0(FP), AX
	MOVQ a1+8(FP), DI
	MOVQ a2+16(FP), SI
	MOVQ a3+24(FP), DX
	MOVQ a4+32(FP), R10
	MOVQ a5+40(FP), R8
	MOVQ wait+48(FP), R12
	MOVQ most+56(FP), R13
	SYSCALL
	TESTQ AX, AX
	JEQ made
	MOVQ AX, ret+64(FP)
	RET

made:
	TESTQ R12, R12
	JEQ end
	MOVQ R12, DI
	XORL SI, SI // FUTEX_WAIT
	XORL DX, DX // while the word is 0
	MOVQ R13, R10
	XORL R8, R8
	XORL R9, R9
	MOVL $SYS_futex, AX
	SYSCALL

end:
	XORL DI, DI
	MOVL $SYS_exit, AX
	SYSCALL
	JMP end
