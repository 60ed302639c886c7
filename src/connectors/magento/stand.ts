import { type Fields, fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { oauth1Header } from '../../commerce/wire/oauth1.ts'
import {
  colourAttribute,
  makeOrder,
  makeProducts,
  makeShipment,
  makeStockItem,
  stamp,
  storeConfig,
} from './stand-records.ts'
import { answer, refusal, searchIn } from './stand-search.ts'

interface Options {
  /** `service`: Adobe's Cloud Service, with tokens of its identity service. */
  keys?: 'signed' | 'bearer' | 'service'
  /** Whether the modules for several sources are there. */
  stock?: 'sources' | 'single'
}

const four = {
  access_token: 'token-of-the-integration',
  access_token_secret: 'its-secret',
  consumer_key: 'consumer-of-the-integration',
  consumer_secret: 'the-secret-of-that',
}

const ims = { ims_client_id: 'bikes', ims_client_secret: 'p8-secret', ims_org_id: '1234@AdobeOrg' }
const serviceUrl = 'https://na1.api.commerce.adobe.com/tenant-1'

/** What Adobe's identity service gives for these keys. */
function token({ body }: RemoteRequest): RemoteAnswer {
  const form = new URLSearchParams(String(body))
  const isRight = form.get('client_id') === ims.ims_client_id && form.get('client_secret') === ims.ims_client_secret
  const isMeant = form.get('grant_type') === 'client_credentials' && form.get('scope')?.includes('commerce.accs')
  if (!isRight || !isMeant) return { status: 401, headers: {}, body: { error: 'invalid_client' } }
  const headers = { date: 'Sun, 15 Nov 2026 08:00:00 GMT' }
  return { status: 200, headers, body: { access_token: 'of-the-day', token_type: 'bearer', expires_in: 86_399 } }
}

const noRoute = () => refusal(404, 'Request does not match any route.')
const noEntity = () => refusal(404, "The entity that was requested doesn't exist. Verify the entity and try again.")

export function makeStand({ keys = 'signed', stock = 'sources' }: Options = {}): PlatformStand {
  const orders = Array.from({ length: 60 }, (_, n) => makeOrder(n + 1))
  const products = Array.from({ length: 30 }, (_, n) => makeProducts(n + 1)).flat()
  const simple = products.filter(({ type_id }) => type_id === 'simple')
  const sourceItems = simple.flatMap(({ id, sku }, n) =>
    (n % 3 === 0 ? ['default', 'north'] : ['default']).map(
      (source): Fields => ({ sku, source_code: source, quantity: Number(id) % 40, status: 1 }),
    ),
  )
  const stockItems = new Map(
    simple.map((product) => [product['sku'], makeStockItem(product, Number(product['id']) % 40)]),
  )
  const shipments: Fields[] = []
  const doubles: string[] = []
  let clock = 200_000
  let lastId = 9000

  const touch = (record: Fields, change: Fields) => Object.assign(record, change, { updated_at: stamp(++clock) })
  const byId = (id: string) => orders.find((order) => String(order['entity_id']) === id)

  function ship(order: Fields, body: Fields): RemoteAnswer {
    const items = recordsIn(order, 'items').filter((item) => item['parent_item_id'] === undefined)
    const left = (item: Fields) =>
      Number(item['qty_ordered']) - Number(item['qty_shipped']) - Number(item['qty_canceled'])
    const wanted = Array.isArray(body['items'])
      ? recordsIn(body, 'items')
      : items.map((item) => ({ order_item_id: item['item_id'], qty: left(item) })).filter(({ qty }) => qty > 0)
    if (wanted.length === 0 || !['processing', 'new'].includes(String(order['state']))) {
      return refusal(400, 'Shipment Document Validation Error(s):\n%1', [
        "You can't create a shipment without products.",
      ])
    }
    const tracks = recordsIn(body, 'tracks')
    const numbers = shipments.flatMap((one) => recordsIn(one, 'tracks')).map((track) => track['track_number'])
    for (const { track_number: number } of tracks)
      if (numbers.includes(number)) doubles.push(`parcel ${String(number)}`)
    for (const { order_item_id: id, qty } of wanted) {
      const item = items.find((one) => one['item_id'] === id)
      if (item) Object.assign(item, { qty_shipped: Number(item['qty_shipped']) + Number(qty) })
    }
    const id = ++lastId
    const done = items.every((item) => left(item) === 0) && order['total_due'] === 0
    touch(order, done ? { state: 'complete', status: 'complete' } : { state: 'processing', status: 'processing' })
    shipments.push(makeShipment(id, Number(order['entity_id']), { items: wanted, tracks, at: stamp(clock) }))
    return answer(id)
  }

  /** What is invoiced is not cancelled any more; the platform just says no. */
  function cancel(order: Fields): RemoteAnswer {
    if (!['new', 'pending_payment'].includes(String(order['state']))) return answer(false)
    for (const item of recordsIn(order, 'items')) Object.assign(item, { qty_canceled: item['qty_ordered'] })
    touch(order, { state: 'canceled', status: 'canceled' })
    return answer(true)
  }

  function saveProduct(product: Fields): RemoteAnswer {
    const known = products.find(({ sku }) => sku === product['sku'])
    if (known) return answer(structuredClone(touch(known, product)))
    const made = touch(
      {
        id: ++lastId,
        created_at: stamp(clock),
        media_gallery_entries: [],
        custom_attributes: [],
        extension_attributes: {},
        ...product,
      },
      {},
    )
    products.push(made)
    stockItems.set(made['sku'], makeStockItem(made, 0))
    return answer(structuredClone(made))
  }

  function saveSources(items: readonly Fields[]): RemoteAnswer {
    if (items.some(({ source_code: code }) => !['default', 'north'].includes(String(code))))
      return refusal(400, 'Validation Failed')
    for (const item of items) {
      const old = sourceItems.find((one) => one['sku'] === item['sku'] && one['source_code'] === item['source_code'])
      if (old) Object.assign(old, item)
      else sourceItems.push({ ...item })
    }
    return answer([])
  }

  function saveStock(sku: string, item: Fields): RemoteAnswer {
    const old = stockItems.get(sku)
    if (!old) return noEntity()
    Object.assign(old, item)
    return answer(Number(old['item_id']))
  }

  function read(name: string, parts: readonly string[], query: Fields): RemoteAnswer {
    const [, id = ''] = parts
    if (name === 'products/attributes') return searchIn([colourAttribute], query, 'attribute_id')
    if (name === 'inventory/sources' || name === 'inventory/source-items') {
      if (stock === 'single') return noRoute()
      return searchIn(name === 'inventory/sources' ? [] : sourceItems, query, 'entity_id')
    }
    if (name === 'store/storeConfigs') return answer([storeConfig])
    if (parts[0] === 'stockItems') {
      const item = stockItems.get(decodeURIComponent(id))
      return item ? answer(structuredClone(item)) : noEntity()
    }
    if (parts[0] === 'orders' && id !== '') return byId(id) ? answer(structuredClone(byId(id))) : noEntity()
    const lists: Record<string, readonly Fields[]> = { orders, products, shipments }
    return lists[name] ? searchIn(lists[name], query, name === 'products' ? 'id' : 'entity_id') : noRoute()
  }

  function route(path: string, { method, query = {}, body }: RemoteRequest): RemoteAnswer {
    const parts = path.split('/')
    const [first, id = '', verb] = parts
    if (method === 'GET') return read(path, parts, query)
    if (path === 'products') return saveProduct(fieldsIn(fieldsOf(body), 'product'))
    if (path === 'inventory/source-items') return saveSources(recordsIn(fieldsOf(body), 'sourceItems'))
    if (verb === 'stockItems') return saveStock(decodeURIComponent(id), fieldsIn(fieldsOf(body), 'stockItem'))
    const order = byId(id)
    if (!order || !['ship', 'cancel'].includes(String(verb))) return first?.startsWith('order') ? noEntity() : noRoute()
    return verb === 'ship' ? ship(order, fieldsOf(body)) : cancel(order)
  }

  function isKnown({ url, request: { method, query, headers = {} } }: StandCall): boolean {
    const given = headers['authorization'] ?? ''
    if (keys === 'service') {
      const [id, org] = [headers['x-api-key'], headers['x-gw-ims-org-id']]
      const isOurs = id === ims.ims_client_id && org === ims.ims_org_id && headers['store'] === 'all'
      return isOurs && given === 'Bearer of-the-day'
    }
    if (keys === 'bearer') return given === `Bearer ${four.access_token}`
    const told = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(given)?.[1] ?? ''
    const signed = oauth1Header({
      method,
      url,
      query,
      keys: {
        consumerKey: four.consumer_key,
        consumerSecret: four.consumer_secret,
        token: four.access_token,
        tokenSecret: four.access_token_secret,
      },
      seconds: Number(told('oauth_timestamp')),
      nonce: told('oauth_nonce'),
    })
    return given === signed
  }

  // Only what has not been paid is cancelled here, and only what has been paid is complete once it is sent.
  const payable = orders.filter(({ state }) => state === 'new').map((order) => String(order['entity_id']))
  const paid = orders.filter(({ state }) => state === 'processing').map((order) => String(order['entity_id']))
  let opened = 0
  const held = {
    bearer: { access_token: four.access_token },
    signed: four,
    service: { ...ims, access_token: 'of-the-day' },
  }
  const credentials = held[keys]
  const isService = keys === 'service'
  const prefix = isService ? '/tenant-1/V1/' : '/rest/all/V1/'
  const learned = { currency: 'EUR', weight_unit: 'kgs', media_url: 'https://bikes.example/media_url/', stock }
  return {
    facts: { shop: 'bikes.example', settings: { ...learned, ...(isService ? { base_url: serviceUrl } : {}) } },
    credentials,
    wrong: { ...credentials, access_token: 'another' },
    typed: isService ? ims : credentials,
    client: {},
    answer(call) {
      const { pathname, hostname } = new URL(call.url)
      if (hostname === 'ims-na1.adobelogin.com') return token(call.request)
      if (!isKnown(call))
        return refusal(401, "The consumer isn't authorized to access %resources.", {
          resources: 'Magento_Sales::actions_view',
        })
      return pathname.startsWith(prefix) ? route(pathname.slice(prefix.length), call.request) : noRoute()
    },
    counts: {
      orders: orders.length,
      products: products.filter(({ visibility }) => visibility !== 1).length,
      inventory: stock === 'single' ? stockItems.size : sourceItems.length,
    },
    openOrder: () => (opened++ % 2 === 0 ? paid.pop() : payable.pop()) ?? '',
    doubles: () => doubles,
    specifications: [
      {
        kind: 'openapi',
        file: isService ? 'magento/accs-schema.yaml' : 'magento/admin-schema-2.4.9.yaml',
        base: isService ? '/tenant-1' : '/rest/all',
        wrong: [
          {
            report: /parameter searchCriteria\[(filterGroups|sortOrders)\]\[[1-9]\]/,
            because: 'the file names only the first filter and the first order of each search',
          },
          {
            report: /POST \/V1\/inventory\/source-items: answer must be object/,
            because: 'the file describes failures alone; what was saved is answered with an empty list',
          },
          { report: /the parameter fields is unknown/, because: 'every operation takes it; the file leaves it out' },
        ],
      },
    ],
  }
}
