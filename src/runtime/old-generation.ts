import { setFlagsFromString } from 'node:v8'

/** By how many percent of what is in use the heap, and the buffers outside it, grow until what is not in use is collected. */
const growth = {
  /** V8 decides: up to four times what is in use. */
  own: 0,
  usual: 50,
  /** Of a large answer many times its size is left behind in one go, which is old before anybody looks. */
  large: 20,
} as const

let usual: number = growth.own
let holders = 0

const apply = () => setFlagsFromString(`--heap-growing-percent=${holders > 0 ? growth.large : usual}`)

/**
 * Pages of a shop live just long enough to be taken for old. Without this the old ones may grow to four times what is
 * needed before anybody looks, and a worker that copies a shop takes 150 MB more.
 */
export function limitOldGeneration(): void {
  usual = growth.usual
  apply()
}

/** For as long as somebody has large answers, until what is returned is called. Collections are then more and shorter. */
export function holdLargeAnswers(): () => void {
  holders++
  apply()
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    holders--
    apply()
  }
}
