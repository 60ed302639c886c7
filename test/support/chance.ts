import { hash, randomInt } from 'node:crypto'

/**
 * Chance that can be repeated. Everything that tests, proofs and benches draw comes from one number, which is printed:
 * with `TEST_SEED=<that number>` the same lots are drawn again.
 */
export const testSeed: string = process.env['TEST_SEED'] || choose()

/** Processes that are started from here on draw from it as well. */
function choose(): string {
  const chosen = String(randomInt(2 ** 31))
  process.env['TEST_SEED'] = chosen
  process.stderr.write(`Lots are drawn with TEST_SEED=${chosen}.\n`)
  return chosen
}

const unsigned = 2 ** 32

/** A seed of its own for each name, so that what one test draws does not depend on which others ran. */
export const seedFor = (name: string): number => hash('sha256', `${testSeed}|${name}`, 'buffer').readUInt32BE(0) >>> 1

export interface Lots {
  /** From 0 up to but not including 1. */
  fraction(): number
  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number
  pick<T>(from: readonly T[]): T
  bytes(length: number): Buffer
  shuffled<T>(items: readonly T[]): T[]
}

export function drawLots(name: string): Lots {
  let state = seedFor(name)
  /** Mulberry32: 32 bits of state are plenty for lots. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const fraction = () => next() / unsigned
  const below = (end: number) => Math.floor(fraction() * end)
  return {
    fraction,
    below,
    pick(from) {
      const found = from[below(from.length)]
      if (found === undefined) throw new Error('There is nothing to choose from.')
      return found
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    /** Fisher and Yates. */
    shuffled(items) {
      const copy = [...items]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const [a, b] = [copy[last], copy[other]]
        if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a]
      }
      return copy
    },
  }
}

const canaries = drawLots('canaries')

/** A word that stands nowhere but where it was put. */
export const newCanary = (): string => `canary${canaries.bytes(8).toString('hex')}`
