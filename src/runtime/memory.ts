import { setFlagsFromString } from 'node:v8'

/** Kept small while the program loads (bin/entrepot.js), so that a process at rest is small; grows with the load. */
export const enlargeYoungGeneration = () => setFlagsFromString('--semi-space-growth-factor=2')

/**
 * Pages of a shop live just long enough to be taken for old. Without this the old ones may grow to four times what is
 * needed before anybody looks. Looking often costs pauses, of the thread that reads shops and of nobody else.
 */
export const limitOldGeneration = () => setFlagsFromString('--heap-growing-percent=20')
