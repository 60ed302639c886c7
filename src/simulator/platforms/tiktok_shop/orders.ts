import { second } from '../../clock.ts'
import type { Answer, Call, Recorder, RouteRow } from '../../http/route.ts'
import { listOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listBySecond, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, packageIdOf, packageOf } from './ids.ts'
import { type Item, isOpen, itemsOf, orderView, statusOf } from './order-view.ts'
import { providers } from './providers.ts'
import { invalid, nextToken, no, ok, pageIn } from './reply.ts'

export type Orders = ReturnType<typeof createOrders>

/** Orders as sellers see them. Some buyers want theirs cancelled (variant `cancel_wishes: yes`). */
export function createOrders(world: World) {
  const { settings, shop } = world
  const { book, work } = shop
  const { variant } = settings
  const isUnwanted = ({ index, stage }: ShopOrder): boolean =>
    variant['cancel_wishes'] === 'yes' && index % 4 === 1 && stage === 'paid'
  /** Of what TikTok picks up itself (variant `shipping: tiktok`) it makes the labels. */
  const isByTikTok = variant['shipping'] === 'tiktok'
  const view = (order: ShopOrder) => orderView(order, { byTikTok: isByTikTok, unwanted: isUnwanted(order) })
  const find = (id: string): ShopOrder | null => book.get(orderIndexOf(id))

  function search(call: Call): Answer {
    const { query } = call
    const page = pageIn(query, 100)
    const fields = call.fields()
    const moment = (name: string) => {
      const seconds = wholeOf(fields[name])
      return seconds === null ? null : seconds * second
    }
    if (!page) return invalid('page_size is a number from 1 to 100, and page_token is one that was given.')
    const status = textOf(fields['order_status'])
    const question: Omit<OrderQuery, 'limit' | 'sort'> = {
      changed: { from: moment('update_time_ge'), before: moment('update_time_lt') },
      placed: { from: moment('create_time_ge'), before: moment('create_time_lt') },
      test: status === null ? null : (index) => isIn(book.get(index), status),
    }
    const isByChange = query.get('sort_field') === 'update_time'
    const backwards = query.get('sort_order') !== 'ASC'
    const { placed: _, ...byChange } = question
    const sort = isByChange ? 'changed' : 'placed'
    const found =
      isByChange && !backwards
        ? listBySecond(book, { ...byChange, ...page })
        : listOrders(book, { ...question, sort, backwards, ...page })
    const total_count = countOrders(book, { ...question, sort })
    const orders = ordersOn(world, found).map(view)
    return ok({ orders, total_count, next_page_token: nextToken(page.offset + page.limit, found.more) })
  }

  function detail({ query }: Call): Answer {
    const ids = (query.get('ids') ?? '').split(',')
    if (ids.length > 50) return invalid('ids holds at most 50.')
    return ok({ orders: ids.flatMap((id) => find(id) ?? []).map(view) })
  }

  const openItems = (order: ShopOrder, ids: readonly unknown[]): Item[] | null => {
    const open = itemsOf(order).filter(isOpen)
    const meant = ids.map((id) => open.find((item) => item.id === id))
    const found = meant.flatMap((item) => item ?? [])
    return found.length === meant.length && new Set(found).size === found.length ? found : null
  }

  function send(
    order: ShopOrder,
    told: { items: readonly Item[]; provider: unknown; number: unknown },
    record: Recorder,
  ) {
    const provider = providers.find(({ id }) => id === told.provider)
    const trackingNumber = textOf(told.number)
    if (!provider || trackingNumber === null)
      return no(200, 21_011_026, 'The shipping provider or the tracking number is invalid.')
    if (isByTikTok) return no(200, 21_011_029, 'The order is shipped by TikTok.')
    const parcel = { carrier: provider.name, trackingNumber, trackingUrl: null }
    const worked = work.send(order, { ...parcel, lines: linesOf(told.items) })
    if (!worked.ok) return no(200, 21_011_006, worked.why)
    const subject = `${orderIdOf(order.index)} ${trackingNumber}`
    record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return worked.value
  }

  /** Of the pieces that are named; only in some markets. */
  const markShipped: RouteRow[3] = (call, record, [id]) => {
    const order = find(id)
    if (!order) return notFound()
    const { order_line_item_ids: ids, shipping_provider_id: provider, tracking_number: number } = call.fields()
    const items = openItems(order, listOf(ids))
    if (!items || items.length === 0) return no(200, 21_011_001, 'An order line item is not there, or has left.')
    const made = send(order, { items, provider, number }, record)
    if ('status' in made) return made
    const package_id = packageIdOf(order.index, made.parcel)
    return ok({ order_id: id, order_line_item_ids: items.map((item) => item.id), package_id })
  }

  /** All that waits in the package. */
  const shipPackage: RouteRow[3] = (call, record, [id]) => {
    const { index, parcel } = packageOf(id)
    const order = book.get(index)
    if (!order) return notFound()
    const { self_shipment: told } = call.fields()
    const { shipping_provider_id: provider, tracking_number: number } = Object(told)
    const items = itemsOf(order).filter(isOpen)
    if (parcel !== 0 || items.length === 0) return no(200, 21_011_006, 'The package has been shipped already.')
    const made = send(order, { items, provider, number }, record)
    return 'status' in made ? made : ok()
  }

  const amend: RouteRow[3] = (call, record, [id]) => {
    const { index, parcel: number } = packageOf(id)
    const order = book.get(index)
    const parcel = order?.parcels.find((one) => one.parcel === number)
    const fields = call.fields()
    const provider = providers.find((one) => one.id === fields['shipping_provider_id'])
    const trackingNumber = textOf(fields['tracking_number'])
    if (!order || !parcel) return notFound()
    if (!provider || trackingNumber === null) return no(200, 21_011_026, 'The shipping provider is invalid.')
    const worked = work.amend(order, parcel, { carrier: provider.name, trackingNumber, trackingUrl: null })
    if (worked.ok && worked.changed) record.effect('shipment.amend', `${orderIdOf(index)} ${trackingNumber}`)
    return ok()
  }

  const routes: readonly RouteRow[] = [
    ['POST', '/order/202309/orders/search', 'orders.list', search, { writes: false }],
    ['GET', '/order/202309/orders', 'orders.get', detail],
    ['POST', '/fulfillment/202309/orders/:id/packages', 'packages.create', markShipped],
    ['POST', '/fulfillment/202309/packages/:id/ship', 'packages.ship', shipPackage],
    ['POST', '/fulfillment/202309/packages/:id/shipping_info/update', 'packages.amend', amend],
    [
      ...(['GET', '/logistics/202309/delivery_options/:id/shipping_providers', 'providers.list'] as const),
      () => ok({ shipping_providers: providers }),
    ],
  ]
  return { find, view, isUnwanted, openItems, routes }
}

const isIn = (order: ShopOrder | null, status: string): boolean => order !== null && statusOf(order) === status

export const notFound = (): Answer => no(200, 21_008_111, 'The order does not exist.')

/** So many of each line. */
export const linesOf = (items: readonly Item[]): { line: number; quantity: number }[] =>
  [...Map.groupBy(items, ({ line }) => line.line)].map(([line, some]) => ({ line, quantity: some.length }))
