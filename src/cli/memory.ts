import { setFlagsFromString } from 'node:v8'

/** Kept small while the program loads (bin/entrepot.js), so that a process at rest is small; grows with the load. */
export const enlargeYoungGeneration = () => setFlagsFromString('--semi-space-growth-factor=2')

/**
 * Pages of a shop live just long enough to be taken for old. Without this the old ones may grow to four times what is
 * needed before anybody looks, and a worker that copies a shop takes 150 MB more.
 */
export const limitOldGeneration = () => setFlagsFromString('--heap-growing-percent=50')
