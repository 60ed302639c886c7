import { type Moment, momentOf, second } from '../../clock.ts'
import { type Answer, answer, type Call, type Handle, type Recorder } from '../../http/route.ts'
import type { Variant } from '../../shop/goods.ts'
import type { ShopOrder } from '../../shop/order.ts'
import type { ParcelInput } from '../../shop/work-on-order.ts'
import type { World } from '../../world.ts'

export const orderId = (index: number): string => String(index + 1001)
export const productId = (index: number): string => String(index + 1)
export const variantId = ({ product, position }: Variant): string => String((product + 1) * 10 + position)
export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1001 : -1)

export const secondsOf = (moment: Moment): number => Math.floor(moment / second)
/** A time in either form; null where none is asked for. */
export const momentIn = (text: string | null): Moment | null =>
  text === null ? null : /^\d+$/.test(text) ? Number(text) * second : momentOf(text)

export const wholeIn = ({ query }: Call, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise)

/** What may be done to an order in both manners, each showing it in its own words. */
export function orderWork({ shop: { book, work }, settings, clock }: World, view: (order: ShopOrder) => unknown) {
  // Some services do not tell what is not there from what nobody may see.
  const missing = () =>
    settings.variant['missing'] === '403'
      ? answer(403, { message: 'You may not see this.' })
      : answer(404, { message: 'Not here.' })
  const found =
    (use: (order: ShopOrder, call: Call, record: Recorder) => Answer | null): Handle =>
    (call, record, [id]) => {
      const order = book.get(orderIndexOf(id))
      if (!order) return missing()
      const refusal = use(order, call, record)
      const now = book.get(order.index)
      return refusal ?? (now ? answer(200, view(now)) : missing())
    }
  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer | null {
    const worked = work.cancel(order, null)
    if (!worked.ok) return answer(409, { message: worked.why })
    if (worked.changed) record.effect('order.cancel', orderId(order.index))
    return null
  }
  function send(
    order: ShopOrder,
    parcel: Pick<ParcelInput, 'carrier' | 'trackingNumber' | 'lines'> & { key: string | null },
    record: Recorder,
  ): Answer | null {
    const { key: reference, ...rest } = parcel
    if (reference !== null && order.parcels.some((one) => one.reference === reference)) return null
    const worked = work.send(order, { ...rest, trackingUrl: null, sentAt: clock.tick(), reference })
    if (!worked.ok) return answer(409, { message: worked.why })
    const id = orderId(order.index)
    record.effect('shipment.create', id, reference, `${id} ${parcel.trackingNumber}`)
    return null
  }
  return { found, missing, get: found(() => null), cancel: found(cancel), send }
}
