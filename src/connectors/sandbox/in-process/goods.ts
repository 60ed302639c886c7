import { hash } from 'node:crypto'

/** What the sandbox shop holds. The same seed gives the same goods and the same orders. */
export interface ShopOrder {
  id: string
  number: string
  status: 'awaiting_payment' | 'awaiting_shipment' | 'partly_shipped' | 'shipped' | 'delivered' | 'cancelled'
  reference: string | null
  currency: string
  goods_total: number
  discount: number
  shipping: number
  tax: number
  tax_included: boolean
  total: number
  refunded: number
  shipping_method: string
  buyer: { id: string | null; email: string | null; first_name: string | null; last_name: string | null }
  ship_to: ShopAddress
  bill_to: ShopAddress
  lines: ShopLine[]
  shipments: ShopShipment[]
  note: string | null
  acknowledged: boolean
  placed_at: string
  cancelled_at: string | null
  cancel_reason: string | null
  updated_at: string
}

export interface ShopAddress {
  name: string | null
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
}

export interface ShopLine {
  id: string
  sku: string
  title: string
  quantity: number
  shipped: number
  cancelled: number
  unit_price: number
  discount: number
  tax: number
  total: number
}

export interface ShopShipment {
  id: string
  tracking_number: string
  carrier: string
  tracking_url: string | null
  shipped_at: string
  delivered: boolean
  lines: { line: string; quantity: number }[]
}

export interface ShopProduct {
  id: string
  sku: string
  title: string
  description: string | null
  price: number
  currency: string
  stock: number
  visible: boolean
  images: { url: string; alt: string | null }[]
  updated_at: string
}

export interface ShopState {
  orders: Map<string, ShopOrder>
  /** By sku. */
  products: Map<string, ShopProduct>
  /** Seconds since the shop's first day. It has no clock: every change is a second later than the one before. */
  seconds: number
}

const firstDay = Date.UTC(2026, 8, 1)
export const at = (seconds: number): string => new Date(firstDay + seconds * 1000).toISOString().replace('Z', '000Z')

/** Numbers that look random and are always the same. */
function dice(seed: string) {
  let count = 0
  return (sides: number): number => hash('sha256', `${seed}|${count++}`, 'buffer').readUInt32BE(0) % sides
}

const articles = ['Kettle', 'Lamp', 'Mug', 'Notebook', 'Umbrella', 'Teapot', 'Blanket', 'Compass', 'Candle', 'Atlas']
const colours = ['Red', 'Blue', 'Green', 'Grey']
const people = ['Ada Byron', 'Emil Berg', 'Mei Tanaka', 'Noor Haddad', 'Ines Duarte', 'Otto Lang', 'Zoë Novak']
const towns = [
  ['Hamburg', '20095', 'DE'],
  ['Lyon', '69001', 'FR'],
  ['Porto', '4000-008', 'PT'],
  ['Gent', '9000', 'BE'],
] as const
const states = [
  'awaiting_shipment',
  'awaiting_shipment',
  'awaiting_payment',
  'shipped',
  'delivered',
  'cancelled',
] as const

const pick = <T>(from: readonly [T, ...T[]] | readonly T[], roll: (sides: number) => number): T => {
  const chosen = from[roll(from.length)]
  if (chosen === undefined) throw new RangeError('There is nothing to choose from.')
  return chosen
}

/** Sums, as far as they follow from the lines. Prices include tax, and nobody gets a discount. */
export const sums = (lines: readonly ShopLine[], shipping: number) => {
  const goods = lines.reduce((sum, line) => sum + line.total, 0)
  return { goods_total: goods, discount: 0, shipping, tax: 0, tax_included: true, total: goods + shipping, refunded: 0 }
}

type SoldLine = Pick<ShopLine, 'id' | 'sku' | 'title' | 'quantity' | 'unit_price'>

export const lineOf = (line: SoldLine, shipped = 0, cancelled = 0): ShopLine => ({
  ...line,
  shipped,
  cancelled,
  discount: 0,
  tax: 0,
  total: line.quantity * line.unit_price,
})

export function stockShop(seed: string, orderCount: number): ShopState {
  const roll = dice(seed)
  const shop: ShopState = { orders: new Map(), products: new Map(), seconds: 0 }
  for (const article of articles) {
    for (const colour of colours) {
      const sku = `${article}-${colour}`.toUpperCase()
      shop.products.set(sku, {
        id: `p${shop.products.size + 1}`,
        sku,
        title: `${article}, ${colour.toLowerCase()}`,
        description: null,
        price: 300 + roll(9700),
        currency: 'EUR',
        stock: roll(200),
        visible: true,
        images: [],
        updated_at: at(shop.products.size),
      })
    }
  }
  for (let n = 1; n <= orderCount; n++) {
    const order = makeOrder(n, [...shop.products.values()], roll)
    shop.orders.set(order.id, order)
  }
  shop.seconds = (orderCount + 1) * 3600
  return shop
}

function makeOrder(n: number, products: readonly ShopProduct[], roll: (sides: number) => number): ShopOrder {
  const name = pick(people, roll)
  const [first = '', last = ''] = name.split(' ')
  const [city, zip, country] = pick(towns, roll)
  const status = pick(states, roll)
  const sent = status === 'shipped' || status === 'delivered'
  const lines = Array.from({ length: 1 + roll(3) }, (_, index) => {
    const { sku, title, price } = pick(products, roll)
    const quantity = 1 + roll(3)
    const line = { id: `${n}-${index + 1}`, sku, title, quantity, unit_price: price }
    return lineOf(line, sent ? quantity : 0, status === 'cancelled' ? quantity : 0)
  })
  const placed = at(n * 3600)
  const home = { name, street: `${1 + roll(99)} Harbour Street`, city, zip, country }
  const parcel: ShopShipment = {
    ...{ id: `s${n}`, tracking_number: `TRACK${n}`, carrier: 'Post', tracking_url: null, shipped_at: placed },
    delivered: status === 'delivered',
    lines: lines.map(({ id, quantity }) => ({ line: id, quantity })),
  }
  return {
    id: String(1000 + n),
    number: `S-${1000 + n}`,
    status,
    reference: null,
    currency: 'EUR',
    ...sums(lines, 490),
    shipping_method: 'standard',
    buyer: {
      id: `c${people.indexOf(name) + 1}`,
      email: `${first.toLowerCase()}@example.com`,
      first_name: first,
      last_name: last,
    },
    ship_to: home,
    bill_to: home,
    lines,
    shipments: sent ? [parcel] : [],
    note: null,
    acknowledged: false,
    placed_at: placed,
    cancelled_at: status === 'cancelled' ? placed : null,
    cancel_reason: status === 'cancelled' ? 'customer' : null,
    updated_at: placed,
  }
}
