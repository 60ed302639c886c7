import type { Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, idIn, numberIn, recordsIn } from '../../commerce/reading.ts'
import { listByTime } from '../../commerce/wire/time-pages.ts'
import { ask, askOne, isId } from './ask.ts'
import { type Credentials, type EtsyShop, type Settings, shopPath } from './settings.ts'
import { statuses } from './statuses.ts'
import { changedAt, toOrder } from './translate-order.ts'

const maxReceipts = 100

/** Orders can neither be made nor cancelled from outside: Etsy has no such request. */
export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
}

async function listOrders(shop: EtsyShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(query.limit, maxReceipts)
  return await listByTime(
    {
      size,
      idOf: (receipt) => idIn(receipt, 'receipt_id'),
      timeOf: changedAt,
      ask: async ({ from, until, page: number }) => {
        const body = await ask(shop, {
          path: `${shopPath(shop)}/receipts`,
          query: {
            min_last_modified: secondsOf(from),
            // Both ends are included.
            max_last_modified: until === null ? null : Number(secondsOf(until)) - 1,
            sort_on: 'updated',
            sort_order: 'asc',
            limit: size,
            offset: (number - 1) * size,
          },
        })
        return { rows: recordsIn(body, 'results'), total: numberIn(body, 'count') }
      },
    },
    query,
  )
}

/** Etsy takes no time before it was there. */
const theBeginning = 946_684_800

const secondsOf = (second: string | null): number | null =>
  second === null ? null : Math.max(theBeginning, Date.parse(`${second}Z`) / 1000)

export async function getOrder(shop: EtsyShop, remoteId: string): Promise<Fields | null> {
  return isId(remoteId) ? await askOne(shop, `${shopPath(shop)}/receipts/${remoteId}`) : null
}
