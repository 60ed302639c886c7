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

export interface Played {
  oversold: number
  /** Wishes that were refused although a piece was there. */
  lost: number
  writes: number
}

/** When a shop shows something else than it counted itself. */
type Telling = { at: number; shop: number; article: number; value: number | null }

interface Strategy {
  /** What follows from a sale; a value of null is what is left at that time. */
  onSale(sale: Wish, left: number): readonly Telling[]
  /** Every so many seconds, all shops are told what is left. */
  everySeconds?: number
}

export function play(wishes: readonly Wish[], stock: readonly number[], shops: number, strategy: Strategy): Played {
  const left = [...stock]
  const shown = Array.from({ length: shops }, () => [...stock])
  const told: Telling[] = []
  let copied = 0
  const result: Played = { oversold: 0, lost: 0, writes: 0 }
  const show = ({ shop, article, value }: Telling) => {
    const row = shown[shop]
    if (!row) return
    const next = Math.max(0, value ?? left[article] ?? 0)
    if (row[article] === next) return
    row[article] = next
    result.writes++
  }
  for (const wish of wishes) {
    if (strategy.everySeconds !== undefined) {
      for (; copied + strategy.everySeconds <= wish.at; copied += strategy.everySeconds)
        for (const shop of shown.keys())
          for (const article of left.keys()) show({ at: copied, shop, article, value: null })
    }
    while (told[0] && told[0].at <= wish.at) show(told.shift() as Telling)
    const row = shown[wish.shop]
    const there = left[wish.article] ?? 0
    if (!row || (row[wish.article] ?? 0) <= 0) {
      if (there > 0) result.lost++
      continue
    }
    row[wish.article] = (row[wish.article] ?? 0) - 1
    left[wish.article] = there - 1
    if (there <= 0) result.oversold++
    for (const telling of strategy.onSale(wish, there - 1)) {
      const place = told.findLastIndex(({ at }) => at <= telling.at) + 1
      told.splice(place, 0, telling)
    }
  }
  return result
}

const others = (shops: number, sale: Wish): number[] =>
  Array.from({ length: shops }, (_, shop) => shop).filter((shop) => shop !== sale.shop)

/** Everybody knows as soon as the platform has told us, which may take long where it sends no messages: nobody does better. */
export const atOnce = (shops: number, secondsFor: (sale: Wish) => number): Strategy => ({
  onSale: (sale) =>
    others(shops, sale).map((shop) => ({ at: sale.at + secondsFor(sale), shop, article: sale.article, value: null })),
})

/** All levels are copied by the clock. */
export const copying = (everySeconds: number): Strategy => ({ everySeconds, onSale: () => [] })

/** Each sale sends its number to each other shop, one after the other, as many in a second as the shop takes. */
export function naivePush(shops: number, secondsFor: (sale: Wish) => number, perSecond: number): Strategy {
  const free = Array.from({ length: shops }, () => 0)
  return {
    onSale: (sale, left) =>
      others(shops, sale).map((shop) => {
        const at = Math.max(sale.at + secondsFor(sale), (free[shop] ?? 0) + 1 / perSecond)
        free[shop] = at
        return { at, shop, article: sale.article, value: left }
      }),
  }
}
