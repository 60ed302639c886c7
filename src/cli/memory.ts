import { setFlagsFromString } from 'node:v8'

/** Kept small while the program loads (bin/entrepot.js), so that a process at rest is small; grows with the load. */
export const enlargeYoungGeneration = () => setFlagsFromString('--semi-space-growth-factor=2')
