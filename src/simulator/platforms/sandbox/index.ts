import { createHmac } from 'node:crypto'
import { unitsOf } from '../../amounts.ts'
import { createTokens } from '../../auth/tokens.ts'
import { inMicroseconds, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow, routeIn } from '../../http/route.ts'
import { rowsOf, textOf, wholeOf } from '../../json.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { customersOf } from '../../shop/customers.ts'
import { locations } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import { createSubscriptions, type Subscription } from '../../subscriptions.ts'
import { webhookRoutes } from '../../webhook-routes.ts'
import type { World } from '../../world.ts'
import { createOrders, limitIn, listAnswer, refuse } from './orders.ts'
import {
  articleId,
  customerView,
  home,
  levelView,
  locationId,
  locationIndex,
  orderId,
  productView,
  statuses,
} from './views.ts'

/** The plainest platform: one key, records as they are, and whatever is sent twice is done once. */
export const sandbox: PlatformDefinition = { domain: 'sandbox.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const { settings, shop } = world
  const { stockroom } = shop
  /** Within another process the shop takes any key, counts its stock as one, and sends nobody anything. */
  const inside = settings.variant['inside'] === 'yes'
  const orders = createOrders(world)
  const keys = createTokens(world, '')
  let sent = 0
  const page = (call: Call, rows: readonly { updated_at: string }[]): Answer => {
    const since = momentOf(call.query.get('updated_since') ?? '')
    const from = since === null ? '' : inMicroseconds(since)
    const changed = rows.filter(({ updated_at }) => updated_at >= from)
    const start = wholeOf(call.query.get('cursor')) ?? 0
    const end = start + limitIn(call)
    return listAnswer(changed.slice(start, end), end < changed.length ? String(end) : null, changed.length)
  }
  const find = (id: string) => stockroom.articles().find(({ variant }) => articleId(variant) === id)
  const ofArticle = forOne(find, refuse(404, 'There is no such product.'))
  const ofCustomer = forOne(
    (id) => customersOf(shop.book).find((one) => `c${one.id}` === id),
    refuse(404, 'There is no such customer.'),
  )
  const listProducts = (call: Call): Answer => {
    const [skus, ids] = [call.query.getAll('sku'), call.query.getAll('id')]
    const isAsked = (row: { id: string; sku: string }) =>
      skus.length + ids.length === 0 || skus.includes(row.sku) || ids.includes(row.id)
    return page(call, stockroom.articles().map(productView).filter(isAsked))
  }
  const levels = () =>
    stockroom.variantsByChange().flatMap((variant) => (inside ? [null] : places).map((at) => levelView(variant, at)))

  function putProduct(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const sku = textOf(input['sku'])
    const price = unitsOf(input['price'], home)
    if (sku === null || price === null) return refuse(422, 'A product has a sku and a price.')
    const { description_html: html, status, images } = input
    const words = wordsTold({
      title: textOf(input['title']),
      html: typeof html === 'string' ? html : null,
      status: status == null ? null : status === 'active' ? 'active' : 'draft',
      images: Array.isArray(images) ? imagesIn(images, ({ url, alt }) => ({ url, alt })) : null,
    })
    const known = stockroom.article(sku)
    if (known) {
      const [priced, worded] = [stockroom.reprice(known.variant, price), stockroom.change(known.product, words)]
      if (priced || worded) record.effect('product.update', articleId(known.variant))
      return answer(200, productView(known))
    }
    const stock = wholeOf(input['quantity']) ?? 0
    const whole = { title: sku, html: '', status: 'active' as const, images: [], ...words }
    stockroom.add({ ...whole, variants: [{ sku, title: 'Default Title', price, stock }] })
    const made = stockroom.article(sku)
    if (!made) return refuse(422, 'A product has a sku and a price.')
    record.effect('product.create', articleId(made.variant), sku, sku)
    return answer(201, productView(made))
  }

  function setInventory(call: Call, record: Recorder): Answer {
    const known = rowsOf(call.fields()['items']).flatMap(({ sku, variant_remote_id: id, quantity, location }) => {
      const named = textOf(id) ?? textOf(sku) ?? ''
      const variant = textOf(id) === null ? stockroom.bySku(named) : find(named)?.variant
      const count = wholeOf(quantity)
      const at = location == null ? 0 : locationIndex(location)
      if (!variant || count === null || !places.includes(at)) return []
      const changed = inside ? stockroom.setTotal(variant, count) : stockroom.setStock(variant, at, count)
      if (changed) record.effect('inventory.set', variant.sku)
      return [named]
    })
    return listAnswer(known)
  }

  function setPrices(call: Call, record: Recorder): Answer {
    for (const { id, price, compare_at: before } of rowsOf(call.fields()['items'])) {
      const article = find(String(id))
      const units = unitsOf(price, home)
      if (!article || units === null) return refuse(422, 'A price is for an article of the shop.')
      if (stockroom.reprice(article.variant, units, before === null ? null : unitsOf(before, home)))
        record.effect('price.set', articleId(article.variant))
    }
    return answer(204)
  }

  const messageTo = ({ topic, secret }: Pick<Subscription, 'topic' | 'secret'>, about: object) => {
    const delivery = world.secretFor(`delivery ${++sent}`, 24)
    const body = JSON.stringify({ delivery, topic, ...about, at: inMicroseconds(world.clock.now()) })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    return { delivery, body, headers: { 'content-type': 'application/json', 'x-sandbox-signature': signature } }
  }
  const subscriptions = createSubscriptions(world, { messageTo, patience: 10 })
  const notify = (topic: string, id: string) => subscriptions.tell(topic, `${topic} ${id}`, () => ({ id }))
  shop.book.onChange(({ kind, index }) => {
    const event = kind === 'created' || kind === 'cancelled' ? kind : 'updated'
    notify(`order.${event}`, orderId(index))
    if (kind === 'sent') notify('shipment.updated', orderId(index))
  })
  stockroom.onChange((change) => {
    if (change.kind === 'stock') return notify('inventory.updated', articleId(change.variant))
    for (const variant of change.product.variants)
      notify(`product.${change.kind === 'deleted' ? 'deleted' : 'updated'}`, articleId(variant))
  })

  const webhooks = webhookRoutes(world, {
    ...{ path: '/webhooks', subscriptions, missing: () => refuse(404, 'There is no such webhook.') },
    read(call) {
      const { url: address, topic: name, secret } = call.fields()
      const [url, topic] = [textOf(address) ?? '', textOf(name) ?? '']
      if (!URL.canParse(url) || topic === '') return refuse(422, 'A webhook has a url and a topic.')
      const known = subscriptions.to(topic).find((one) => one.url === url)
      return known ? answer(201, webhookView(known)) : { topic, url, secret: textOf(secret) ?? '' }
    },
    list: (_, all) => listAnswer(all.map(webhookView)),
    show: (one, status) => answer(status, webhookView(one)),
    removed: () => answer(204),
  })
  const readsOnly = (call: Call) =>
    settings.variant['lacks'] === 'write' || (inside && (call.header('x-api-key') ?? '').startsWith('readonly'))
  const about = (call: Call) =>
    answer(200, {
      ...{ orders: shop.book.count(), products: stockroom.variantsByChange().length },
      rights: readsOnly(call) ? ['read'] : ['read', 'write'],
    })
  const routes: readonly RouteRow[] = [
    ['GET', '/shop', 'shop', about],
    ...orders.routes,
    ['GET', '/products', 'products.list', listProducts],
    ['PUT', '/products', 'products.put', putProduct],
    ['GET', '/products/:id', 'products.get', ofArticle((article) => answer(200, productView(article)))],
    ['GET', '/customers', 'customers.list', (call) => page(call, customersOf(shop.book).map(customerView))],
    ['GET', '/customers/:id', 'customers.get', ofCustomer((customer) => answer(200, customerView(customer)))],
    ['GET', '/inventory', 'inventory.list', (call) => page(call, levels())],
    ['PUT', '/inventory', 'inventory.set', setInventory],
    ['PUT', '/prices', 'prices.set', setPrices],
    ...(inside ? [] : webhooks),
  ]

  const door = {
    holder(call: Call) {
      const key = call.header('x-api-key') ?? ''
      return keys.holder(key) ?? (inside && /^(?!bad)./.test(key) ? 'anybody' : null)
    },
    denied: () => refuse(401, 'The key is not valid.'),
    refuses: (_: string, call: Call) =>
      call.method !== 'GET' && readsOnly(call) ? refuse(403, 'The key may only read.') : null,
    unknown: () => refuse(404, 'There is nothing here.'),
  }

  return {
    install: { settings: { base_url: world.origin } },
    issue: () => ({ api_key: keys.key() }),
    wrong: { api_key: 'bad' },
    route: (call) => routeIn(routes, door, call),
    errorBody: (status) => ({ error: `The shop has a problem (${status}).` }),
    counts: { products: () => stockroom.variantsByChange().length },
    messages: (secret) => [
      messageTo({ topic: 'order.updated', secret }, { id: orderId(0) }),
      messageTo({ topic: 'product.updated', secret }, { id: 'p1-1' }),
    ],
    orderId,
    orderNumber: ({ index }) => `S-${orderId(index)}`,
    remoteStatus: ({ stage }) => statuses[stage],
    tellsArrival: true,
    shown: (moment) => moment,
    productId: (index) => `p${index + 1}-1`,
    variantId: articleId,
    locationId,
  }
}

const places = [...locations.keys()]

const webhookView = ({ id, topic, url, active }: Subscription) => ({ id, topic, url, active })
