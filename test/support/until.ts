import { vi } from 'vitest'
import { waitMs } from './patience.ts'

const patiently = { timeout: waitMs, interval: 50 }

/** Asks again until there is an answer, and gives that. */
export const until = <T>(ask: () => T | Promise<T>) => vi.waitUntil(ask, patiently)

/** Tries again until nothing is thrown, and gives what came then. */
export const untilHolds = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, patiently)
