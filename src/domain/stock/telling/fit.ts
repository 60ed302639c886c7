/** What is believed of a shop that is told something. */
interface Belief {
  /** What it should show then. */
  wanted: number
  /** What it was believed to show. */
  was: number | null
  /** It may show more than that, without anybody's having changed it by hand. */
  unsure: boolean
  /** Hands in the shop are believed. */
  believes: boolean
}

/**
 * What is to be sent to a shop that shows so much. Less than was believed is most likely a sale of which no order has come yet, and stays off. More is
 * kept only where hands in the shop are believed, and it was certain what the shop showed.
 */
export function quantityToSend({ wanted, was, unsure, believes }: Belief, found: number | null): number {
  if (found === null || was === null) return wanted
  const keeps = found < was || (found > was && believes && !unsure)
  return keeps ? Math.max(0, wanted + found - was) : wanted
}

/** The same telling, from what the shop was just seen to show. */
export const fitTo = <Telling extends Belief & { quantity: number; expected: number | null }>(
  telling: Telling,
  found: number | null,
): Telling => (found === null ? telling : { ...telling, quantity: quantityToSend(telling, found), expected: found })
