import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { PlatformStand } from '../../commerce/stand.ts'
import {
  makeCombinations,
  makeOrder,
  makeParcel,
  makeProduct,
  makeStocks,
  stamp,
  surroundings,
} from './stand-records.ts'
import { asXml, select } from './stand-select.ts'
import { readXml } from './xml.ts'

interface Options {
  /** Some hosts answer with XML, whatever they are asked for. */
  format?: 'JSON' | 'XML'
}

const key = 'ABCDEFGHIJ1234567890ABCDEFGHIJ12'

const answer = (body: unknown, status = 200): RemoteAnswer => ({ status, headers: {}, body })
const refusal = (status: number, code: number, message: string) => answer({ errors: [{ code, message }] }, status)

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

export function makeStand({ format = 'JSON' }: Options = {}): PlatformStand {
  const orders = numbers(60).map((n) => makeOrder(n))
  const parcels = numbers(60).map(makeParcel)
  const products = numbers(30).map(makeProduct)
  const combinations = numbers(30).flatMap(makeCombinations)
  const stocks = numbers(30).flatMap(makeStocks)
  const lists: Readonly<Record<string, readonly Fields[]>> = {
    ...surroundings,
    orders,
    products,
    combinations,
    order_carriers: parcels,
    stock_availables: stocks,
  }
  const histories: string[] = []
  const doubles: string[] = []
  let clock = 300_000

  const find = (rows: readonly Fields[], id: unknown) => rows.find((one) => String(one['id']) === String(id))

  function enter({ id_order: orderId, id_order_state: state }: Fields): RemoteAnswer {
    const order = find(orders, orderId)
    if (!order || !find(lists['order_states'] ?? [], state))
      return refusal(400, 85, 'Validation error: "Property OrderHistory->id_order is not valid"')
    if (histories.includes(`${orderId} ${state}`)) doubles.push(`order ${orderId} in state ${state}`)
    histories.push(`${orderId} ${state}`)
    Object.assign(order, { current_state: String(state), date_upd: stamp(++clock) })
    return answer({ order_history: { id: histories.length } }, 201)
  }

  /** The whole of it is replaced: a field that was not told is empty afterwards. */
  function replace(rows: readonly Fields[], id: string, fields: Fields): RemoteAnswer {
    const old = find(rows, id)
    if (!old) return answer(null, 404)
    const emptied = Object.fromEntries(Object.keys(old).map((name) => [name, '']))
    Object.assign(old, emptied, fields, { id: Number(id) })
    return answer({ saved: { id } })
  }

  function write(
    resource: string,
    id: string | undefined,
    { method, body, headers = {} }: RemoteRequest,
  ): RemoteAnswer {
    if (typeof body !== 'string' || !/xml/.test(headers['content-type'] ?? ''))
      return refusal(500, 127, 'XML error : no XML was sent')
    const [node] = Object.values(readXml(body))
    const fields = fieldsOf(node)
    if (resource === 'order_histories' && method === 'POST') return enter(fields)
    const rows = lists[resource]
    if (!rows || id === undefined || method !== 'PUT') return refusal(405, 25, 'Method not allowed')
    return replace(rows, id, fields)
  }

  function read(resource: string, query: Fields): RemoteAnswer {
    const rows = lists[resource]
    if (!rows) return refusal(400, 16, `Resource of type "${resource}" does not exists.`)
    const found = select(rows, query)
    if (typeof found === 'string') return refusal(400, 32, found)
    if (format === 'XML') return answer(asXml(resource, found))
    return answer(found.length === 0 ? [] : { [resource]: found })
  }

  const open = orders.filter((order) => order['current_state'] === '2').map((order) => String(order['id']))
  const learned = { timezone: 'Europe/Paris', currency: 'EUR', language: 1, weight_unit: 'kg' }
  const states = {
    state_canceled: 6,
    state_refunded: 7,
    state_failed: 8,
    state_shipped: 4,
    state_delivered: 5,
    state_backorder_paid: 9,
    state_backorder_unpaid: 12,
  }
  return {
    facts: { shop: 'cheese.example', settings: { ...learned, ...states } },
    credentials: { webservice_key: key },
    wrong: { webservice_key: key.toLowerCase() },
    typed: { webservice_key: key },
    client: {},
    answer({ url, request }) {
      const { headers = {}, query = {} } = request
      const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
      if (headers['authorization'] !== basic && query['ws_key'] !== key) return answer(null, 401)
      const [, api, resource = '', id] = new URL(url).pathname.split('/')
      if (api !== 'api') return answer('<!DOCTYPE html><html></html>', 404)
      return request.method === 'GET' ? read(resource, query) : write(resource, id, request)
    },
    counts: { orders: orders.length, products: products.length, inventory: stocks.length - combinations.length / 2 },
    openOrder: () => open.pop() ?? '',
    doubles: () => doubles,
    specifications: [
      {
        kind: 'records',
        file: 'prestashop/prestashop-types.schema.json',
        base: '/api',
        records: {
          orders: 'Order',
          order_carriers: 'OrderCarrier',
          order_states: 'OrderState',
          stock_availables: 'StockAvailable',
          products: 'Product',
          combinations: 'Combination',
          addresses: 'Address',
          carriers: 'Carrier',
          currencies: 'Currency',
          countries: 'Country',
          states: 'State',
        },
      },
    ],
  }
}
