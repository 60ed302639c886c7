import type { Shop } from './shop.ts'

type Opened = Pick<Shop, 'opening' | 'lasting'>

const openingOf = (shop: Opened): object => shop.opening ?? shop

/** Asked once for each time that a shop is opened: what changes seldom, and many ask for in a row. What failed is asked again. */
export function onceForShop<One extends Opened, Result>(
  ask: (shop: One) => Promise<Result>,
): (shop: One) => Promise<Result> {
  const held = new WeakMap<object, Promise<Result>>()
  return (shop) => {
    const opening = openingOf(shop)
    const known = held.get(opening)
    if (known) return known
    const asked = ask(shop)
    held.set(opening, asked)
    asked.catch(() => held.delete(opening))
    return asked
  }
}

const lookMs = 2000

/**
 * What was just read to be changed next. Whoever looks at levels before setting them has read what setting needs; to read it again costs requests, and would overwrite what was sold in
 * between. Good for one change, and for two seconds.
 */
export function justLookedAt<One extends Opened, Seen>() {
  const held = new WeakMap<object, { skus: ReadonlySet<string>; seen: Seen; until: number }>()
  return {
    keep(shop: One, skus: readonly string[], seen: Seen): void {
      held.set(openingOf(shop), { skus: new Set(skus), seen, until: performance.now() + lookMs })
    },
    /** Null where somebody has not just looked at all of them. */
    take(shop: One, skus: readonly string[]): Seen | null {
      const found = held.get(openingOf(shop))
      held.delete(openingOf(shop))
      return found && found.until > performance.now() && skus.every((sku) => found.skus.has(sku)) ? found.seen : null
    },
  }
}

const lackMs = 5 * 60_000

/** A part that a shop may lack, such as a plug-in. Where it did a moment ago it is not asked for again: each request counts against the shop's limits. */
export function lackedLately<One extends Opened>() {
  const until = new WeakMap<object, number>()
  const keyOf = (shop: One): object => shop.lasting ?? openingOf(shop)
  return {
    note(shop: One, now = performance.now()): void {
      until.set(keyOf(shop), now + lackMs)
    },
    by: (shop: One, now = performance.now()): boolean => (until.get(keyOf(shop)) ?? 0) > now,
  }
}
