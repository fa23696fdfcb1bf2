// Package statistics judges figures that were sampled in pairs: the ratio of two
// sides with its interval, which samples lie far from the others, and whether a
// figure is better, the same, worse, or not known. It measures nothing.
//
// # How often the verdicts are right
//
// TestOperatingCharacteristics judges simulated runs of 20 figures with a tolerance of
// 10 %, after 10, 20 and 30 pairs, each sample by a new process. The quiet machine has
// a noise of 2 % (the standard deviation of a sample's logarithm), the usual one 6 %,
// the noisy one 18 %, which is a median absolute deviation of 12 %; besides, processes
// differ by 1 to 3 %, 2 to 5 % of the samples take up to three times as long, and the
// machine slows down by 5 to 20 % during the run. In per cent of the verdicts:
//
//	machine  true change   worse  same  unknown  unfit
//	quiet    none              0   100        0      0
//	quiet    +20 %           100     0        0      0
//	usual    none              0    87       12      1
//	usual    +20 %            99     0        0      1
//	usual    +30 %            99     0        0      1
//	noisy    none              0     0        4     96
//	noisy    +20 %             0     0        2     98
//	noisy    +100 %           95     0        0      5
//
// Without a change none of 2,000 verdicts was worse or better, and with one none was
// better or the same. A machine that cannot judge says so.
package statistics
