import type { AcknowledgeResult } from '../../../commerce/connector.ts'
import { arrayIn, bodyOrNull, type Fields, fieldsOf, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { type Dialect, signed } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { ask, nextOf, pageQuery, record } from './ask.ts'
import { toOrder, toShipment } from './translate.ts'

const most = 200
const pathOf = (remoteId: string) => `/v1/orders/${encodeURIComponent(remoteId)}`

const get = async (shop: SandboxShop, remoteId: string): Promise<unknown> =>
  bodyOrNull(await ask(shop, 'orders.get', { method: 'GET', path: pathOf(remoteId) }))

export const orders: Dialect['orders'] = {
  selects: false,
  async list(shop, query) {
    const page = record(
      await ask(shop, 'orders.list', { method: 'GET', path: '/v1/orders', query: pageQuery(query, most) }),
    )
    return { items: arrayIn(page, 'orders'), next: nextOf(page), total: null }
  },
  get,
  translate: toOrder,
  async cancel(shop, { remoteId, reason }, operation) {
    const path = `${pathOf(remoteId)}/cancel`
    const body = reason === null ? {} : { reason }
    return toOrder(
      record(
        await ask(shop, 'orders.cancel', { method: 'POST', path, body, headers: signed(operation), repeatable: true }),
      ),
    )
  },
}

/** One by one: there is no call for many. What the shop refuses does not keep the others from being told. */
export const acknowledge: NonNullable<Dialect['acknowledge']> = async (shop, remoteIds, operation) => {
  const results: AcknowledgeResult[] = []
  for (const remoteId of remoteIds) {
    const { status, body } = await sendAcknowledgement(shop, remoteId, signed(operation))
    const [error] = status < 300 ? [] : recordsIn(fieldsOf(body), 'errors')
    results.push({ remoteId, ok: status < 300, error: error ? textIn(error, 'message') : null })
  }
  return results
}

const sendAcknowledgement = (shop: SandboxShop, remoteId: string, headers: Readonly<Record<string, string>>) =>
  ask(shop, 'orders.acknowledge', {
    method: 'POST',
    path: `${pathOf(remoteId)}/acknowledge`,
    body: {},
    headers,
    repeatable: true,
  })

export const findShipped: Dialect['findShipped'] = async (shop, draft, { id }) => {
  const found = await get(shop, draft.order_remote_id)
  const parcels = found === null ? [] : recordsIn(fieldsOf(found), 'packages')
  const parcel = parcels.find((one) => one['packageReference'] === id)
  return parcel ? toShipment(parcel) : null
}

/** The operation is the reference, so that nothing is sent twice. An order must have been acknowledged before. */
export const ship: Dialect['ship'] = async (shop, draft, operation) => {
  const found = await get(shop, draft.order_remote_id)
  if (found === null) throw refused('The shop has no such order.')
  const order = fieldsOf(found)
  const headers = signed(operation)
  if (order['acknowledgedAt'] === null && order['status'] === 'CREATED') {
    record(await sendAcknowledgement(shop, draft.order_remote_id, headers))
  }
  return toShipment(
    record(
      await ask(shop, 'shipments.create', {
        method: 'POST',
        path: `${pathOf(draft.order_remote_id)}/shipments`,
        headers,
        repeatable: true,
        body: {
          packageReference: operation.id,
          carrier: draft.carrier,
          trackingNumber: draft.tracking_number,
          trackingUrl: draft.tracking_url ?? null,
          shippedAt: draft.shipped_at ?? null,
          lines: draft.lines
            ? draft.lines.map((line) => ({ lineId: line.order_line_remote_id, quantity: line.quantity }))
            : recordsIn(order, 'lines').flatMap(leftOf),
        },
      }),
    ),
  )
}

function leftOf(line: Fields): { lineId: string; quantity: number }[] {
  const quantity = numberIn(line, 'quantity') - numberIn(line, 'shipped') - numberIn(line, 'cancelled')
  return quantity > 0 ? [{ lineId: textIn(line, 'lineId'), quantity }] : []
}
