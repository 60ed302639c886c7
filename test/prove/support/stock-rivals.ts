/**
 * Other ways to keep one stock over several shops, played over the very wishes that buyers had in a run: who wanted what, where and when. Each shop shows a number, counts down by
 * itself, and learns of the others as its strategy says. No request of theirs is ever lost, refused or delayed by weather, which is more than they would get.
 */
export interface Wish {
  /** Seconds since the first. */
  at: number
  shop: number
  article: number
}

/** A piece that was sold and is there again, as its order was cancelled. */
export interface Back {
  at: number
  article: number
}

/** Pieces that are there, whoever knows of it; to be asked in the order of time. */
export function createPieces(stock: readonly number[], back: readonly Back[]) {
  const left = [...stock]
  const coming = [...back].sort((a, b) => a.at - b.at)
  return {
    left,
    /** How many there are at that time. */
    there({ at, article }: Pick<Wish, 'at' | 'article'>): number {
      while (coming[0] && coming[0].at <= at) {
        const piece = coming.shift() as Back
        left[piece.article] = (left[piece.article] ?? 0) + 1
      }
      return left[article] ?? 0
    },
    take(article: number): void {
      left[article] = (left[article] ?? 0) - 1
    },
  }
}

export interface Played {
  oversold: number
  /** Wishes that were refused although a piece was there. */
  lost: number
  writes: number
}

/** When a shop shows something else than it counted itself. */
interface Telling {
  at: number
  shop: number
  article: number
  /** What it is told, at that time. */
  value(): number
}

interface World {
  /** Pieces that are there, whoever knows of it. */
  left: readonly number[]
  shops: number
}

interface Strategy {
  /** What follows from a sale. */
  onSale(sale: Wish, world: World): readonly Telling[]
  /** Every so many seconds, all shops are told what is left. */
  everySeconds?: number
}

/** What came back did so for whoever sold it: strategies are not told, which can only make them send buyers away. */
export function play(
  wishes: readonly Wish[],
  { stock, back, shops }: { stock: readonly number[]; back: readonly Back[]; shops: number },
  strategy: Strategy,
): Played {
  const { left, there, take } = createPieces(stock, back)
  const shown = Array.from({ length: shops }, () => [...stock])
  const told: Telling[] = []
  let copied = 0
  const result: Played = { oversold: 0, lost: 0, writes: 0 }
  const show = (shop: number, article: number, value: number) => {
    const row = shown[shop]
    const next = Math.max(0, value)
    if (!row || row[article] === next) return
    row[article] = next
    result.writes++
  }
  for (const wish of wishes) {
    if (strategy.everySeconds !== undefined) {
      for (; copied + strategy.everySeconds <= wish.at; copied += strategy.everySeconds)
        for (const shop of shown.keys()) for (const article of left.keys()) show(shop, article, left[article] ?? 0)
    }
    while (told[0] && told[0].at <= wish.at) {
      const telling = told.shift() as Telling
      show(telling.shop, telling.article, telling.value())
    }
    const row = shown[wish.shop]
    const pieces = there(wish)
    if (!row || (row[wish.article] ?? 0) <= 0) {
      if (pieces > 0) result.lost++
      continue
    }
    row[wish.article] = (row[wish.article] ?? 0) - 1
    take(wish.article)
    if (pieces <= 0) result.oversold++
    for (const telling of strategy.onSale(wish, { left, shops })) {
      const place = told.findLastIndex(({ at }) => at <= telling.at) + 1
      told.splice(place, 0, telling)
    }
  }
  return result
}

const all = (shops: number): number[] => Array.from({ length: shops }, (_, shop) => shop)
const others = (shops: number, sale: Wish): number[] => all(shops).filter((shop) => shop !== sale.shop)

/**
 * The lower bound. Whoever knows of a sale as soon as its shop's message comes, or it could have been asked (`secondsFor`), and tells the others in the same moment: no time for storing, booking or the
 * way there, no failures, one request for all that is to be said, as often as their platforms take requests. With what platforms tell, nobody does better. Of what nobody has told
 * yet, nobody knows; but a shop is never told more than its own sales have left. It is the bound for whoever offers in each shop all that is left: who deals the last pieces out
 * among the shops can stay below it, and pays with buyers who came to the wrong shop, which is why those are counted for everybody.
 */
export function atOnce(
  stock: readonly number[],
  secondsFor: (sale: Wish) => number,
  perSecond: readonly number[],
): Strategy {
  const known = [...stock]
  const unknown = perSecond.map(() => stock.map(() => 0))
  const free = perSecond.map(() => 0)
  const heard: { at: number; sale: Wish }[] = []
  const hear = (until: number) => {
    for (let n = heard.findIndex(({ at }) => at <= until); n >= 0; n = heard.findIndex(({ at }) => at <= until)) {
      const [{ sale } = { sale: null }] = heard.splice(n, 1)
      if (!sale) continue
      known[sale.article] = (known[sale.article] ?? 0) - 1
      const row = unknown[sale.shop]
      if (row) row[sale.article] = (row[sale.article] ?? 0) - 1
    }
  }
  return {
    onSale(sale, { shops }) {
      const row = unknown[sale.shop]
      if (row) row[sale.article] = (row[sale.article] ?? 0) + 1
      const at = sale.at + secondsFor(sale)
      heard.push({ at, sale })
      return others(shops, sale).map((shop) => {
        // One request carries all that is to be said by then.
        const gap = 1 / (perSecond[shop] ?? 1)
        const slot = at <= (free[shop] ?? 0) ? (free[shop] ?? 0) : Math.max(at, (free[shop] ?? 0) + gap)
        free[shop] = slot
        const { article } = sale
        const value = () => {
          hear(slot)
          return (known[article] ?? 0) - (unknown[shop]?.[article] ?? 0)
        }
        return { at: slot, shop, article, value }
      })
    },
  }
}

/** All levels are copied by the clock. */
export const copying = (everySeconds: number): Strategy => ({ everySeconds, onSale: () => [] })

/** Each sale sends its number to each other shop, one after the other, as many in a second as the shop takes. */
export function naivePush(shops: number, secondsFor: (sale: Wish) => number, perSecond: readonly number[]): Strategy {
  const free = all(shops).map(() => 0)
  return {
    onSale: (sale, { left }) => {
      const value = left[sale.article] ?? 0
      return others(shops, sale).map((shop) => {
        const at = Math.max(sale.at + secondsFor(sale), (free[shop] ?? 0) + 1 / (perSecond[shop] ?? 1))
        free[shop] = at
        return { at, shop, article: sale.article, value: () => value }
      })
    },
  }
}
