import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import type { Lab } from './proof.ts'
import { oddOrders } from './stock-ledger.ts'
import { dueIn, type Level, type Sale, type StockFigures, type StockShop, thereOf } from './stock-world.ts'

interface Settling {
  shops: readonly StockShop[]
  skus: readonly string[]
  sold: readonly Sale[]
  figures: StockFigures
  lab: Lab
}

export interface Settled {
  /** Until it was so, or until nobody waited any longer. */
  seconds: number
  /** What is not as it should be even then. */
  amiss: string | null
  /** For how long orders were not in the ledger, levels not told, shops not right by their own records, and orders not followed to their end. */
  waited: Readonly<Record<'booked' | 'told' | 'shown' | 'followed', number>>
}

/** Waits until all that was sold is in the ledger, and every shop shows by its own records what its rule says. Nobody helps: orders of which no message came are found by asking as always. */
export async function settled(fleet: Fleet, given: Settling): Promise<Settled> {
  const { shops, skus, sold, lab, figures } = given
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  const waited = { booked: 0, told: 0, shown: 0, followed: 0 }
  for (;;) {
    const [row] = await fleet.query<{ n: string }>(
      // An order that has left before anybody read it is a sale at once, and was never reserved.
      `select count(distinct (integration_id, order_id)) as n from stock_movements
       where source = 'order:' || integration_id and at > to_timestamp($1)`,
      [(sold[0]?.boughtAt ?? 0) / 1000],
    )
    const due = await dueIn(fleet)
    const state = `booked ${row?.n} of ${sold.length}, levels to tell: ${due}`
    lab.progress(state)
    const isBooked = Number(row?.n) >= sold.length
    const isTold = isBooked && due === 0
    if (!isBooked) waited.booked = secondsSince()
    if (!isTold) waited.told = secondsSince()
    const apart = isTold ? await differing(fleet, shops, skus, figures.dealBelow) : []
    const isRight = isTold && apart.length === 0
    if (!isRight) waited.shown = secondsSince()
    const { odd } = isRight ? await oddOrders(fleet, given) : { odd: [] }
    if (isRight && odd.length === 0) return { seconds: secondsSince(), amiss: null, waited }
    waited.followed = secondsSince()
    if (apart.length > 0) lab.progress(`${apart.length} articles differ, such as ${apart[0]}`)
    if (odd.length > 0) lab.progress(`orders that moved on in their shops and are not booked: ${odd.length}`)
    if (secondsSince() > figures.settleSeconds)
      return {
        ...{ seconds: secondsSince(), waited },
        amiss: isTold
          ? `${apart.length} articles differ: ${apart.slice(0, 5).join('; ')}; ${odd.length} orders are booked otherwise`
          : state,
      }
    await sleep(500)
  }
}

/** In calm weather nothing keeps it from being so. */
export async function mustSettle(fleet: Fleet, given: Settling): Promise<void> {
  const { amiss } = await settled(fleet, given)
  if (amiss !== null) throw new Error(`Not settled in calm weather: ${amiss}.`)
}

/**
 * Articles of which the shops' own records say something else than the rule: all shops show what is left, or where that is less than is shared, each piece is shown in
 * one of them.
 */
async function differing(
  fleet: Fleet,
  shops: readonly StockShop[],
  skus: readonly string[],
  dealBelow: number,
): Promise<string[]> {
  const shown = new Map<string, number[]>(skus.map((sku) => [sku, []]))
  for (const { process, location } of shops) {
    const levels = await process.get<Level[]>('/_truth/inventory')
    for (const { sku, location_remote_id: place, available } of levels)
      if (place === location) shown.get(sku)?.push(available)
  }
  const left = await thereOf(fleet, skus)
  return skus.flatMap((sku, n) => {
    const [there, levels] = [left[n] ?? 0, shown.get(sku) ?? []]
    const isRight =
      levels.length === shops.length &&
      (there >= dealBelow
        ? levels.every((level) => level === there)
        : levels.reduce((sum, level) => sum + level, 0) === there)
    return isRight ? [] : [`${sku}: ${there} left, shown ${levels.join(', ')}`]
  })
}
