/** The records of the stand: a small stationer's shop, in the shapes of the server. */

interface Level {
  id: string
  stockLocationId: string
  stockOnHand: number
  stockAllocated: number
  updatedAt: string
}

export interface StandVariant {
  id: string
  sku: string
  name: string
  enabled: boolean
  createdAt: string
  updatedAt: string
  price: number
  prices: { currencyCode: string; price: number }[]
  currencyCode: string
  trackInventory: string
  options: { name: string; group: { name: string } }[]
  stockLevels: Level[]
  product: { id: string; updatedAt: string }
}

export interface StandProduct {
  id: string
  name: string
  slug: string
  description: string
  enabled: boolean
  createdAt: string
  updatedAt: string
  assets: { name: string; source: string }[]
  optionGroups: { name: string; options: { name: string }[] }[]
  variants: StandVariant[]
}

interface Event {
  type: string
  createdAt: string
  data: Record<string, unknown>
}

interface Parcel {
  id: string
  state: string
  method: string
  trackingCode: string
  createdAt: string
  updatedAt: string
  lines: { orderLineId: string; quantity: number }[]
}

export interface StandOrder {
  id: string
  code: string
  type: string
  state: string
  active: boolean
  createdAt: string
  updatedAt: string
  orderPlacedAt: string | null
  events: Event[]
  lines: { id: string; variant: StandVariant; quantity: number; orderPlacedQuantity: number; unit: number }[]
  payments: { id: string; state: string; amount: number; refunds: { state: string; total: number }[] }[]
  fulfillments: Parcel[]
  guest: boolean
}

/** In whole seconds, as on SQLite. */
export const timeAt = (minute: number): string => new Date(Date.UTC(2026, 8, 1) + minute * 60_000).toISOString()

export const shipping = 600

export function makeProducts(): StandProduct[] {
  return Array.from({ length: 26 }, (_, n) => {
    const id = String(n + 1)
    const sizes = n % 3 === 0 ? ['A5', 'A4'] : ['A4']
    const updatedAt = timeAt(n * 7)
    const variants = sizes.map((size, m): StandVariant => {
      const price = 450 + n * 35 + m * 100
      const variant = String(n * 2 + m + 1)
      return {
        id: variant,
        sku: `NOTE-${id}-${size}`,
        name: `Notebook ${id} ${size}`,
        enabled: true,
        createdAt: timeAt(n),
        // Some have changed after their product.
        updatedAt: timeAt(n * 7 + (n % 5 === 0 ? 100 : 0) + m),
        price,
        prices: [{ currencyCode: 'EUR', price }],
        currencyCode: 'EUR',
        trackInventory: n % 4 === 0 ? 'TRUE' : 'INHERIT',
        options: [{ name: size, group: { name: 'Size' } }],
        stockLevels: ['1', '2'].map((place) => ({
          id: `${variant}${place}`,
          stockLocationId: place,
          stockOnHand: 20 + n,
          stockAllocated: n % 4,
          updatedAt: timeAt(n * 3 + Number(place)),
        })),
        product: { id, updatedAt },
      }
    })
    return {
      id,
      name: `Notebook ${id}`,
      slug: `notebook-${id}`,
      description: n % 2 === 0 ? '<p>Ruled.</p>' : '',
      enabled: n % 6 !== 5,
      createdAt: timeAt(n),
      updatedAt,
      assets: [{ name: `notebook-${id}.jpg`, source: `https://stand.example/assets/notebook-${id}.jpg` }],
      optionGroups: [{ name: 'Size', options: sizes.map((name) => ({ name })) }],
      variants,
    }
  })
}

const states = [
  ...['PaymentAuthorized', 'PaymentSettled', 'PaymentSettled', 'Shipped', 'Delivered', 'PartiallyShipped'],
  ...['Cancelled', 'Modifying', 'PartiallyDelivered', 'PaymentSettled', 'ArrangingAdditionalPayment', 'Draft'],
]

/** Two minutes apart; what became of each is hours later, and shows in its history alone. */
export function makeOrders(products: readonly StandProduct[], count: number): StandOrder[] {
  const variants = products.flatMap((product) => product.variants)
  return Array.from({ length: count }, (_, n): StandOrder => {
    const id = String(n + 1)
    const state = states[n % states.length] ?? 'Draft'
    const placed = timeAt(n * 2)
    const after = timeAt(n * 2 + 240)
    const cancelled = state === 'Cancelled'
    const lines = [0, 1].flatMap((m) => {
      const variant = variants[(n * 2 + m) % variants.length]
      const quantity = 1 + ((n + m) % 3)
      const left = cancelled ? 0 : quantity
      return variant && m <= n % 2
        ? [{ id: `${id}0${m}`, variant, quantity: left, orderPlacedQuantity: quantity, unit: variant.price }]
        : []
    })
    const amount = lines.reduce((sum, line) => sum + line.unit * line.orderPlacedQuantity, 0) + shipping
    const sent = {
      Shipped: 'Shipped',
      Delivered: 'Delivered',
      PartiallyShipped: 'Shipped',
      PartiallyDelivered: 'Delivered',
    }[state]
    const parcel = {
      id: `${id}9`,
      state: sent ?? '',
      method: 'Post',
      trackingCode: `TRACK-${id}`,
      createdAt: after,
      updatedAt: after,
      lines: lines.slice(0, 1).map((line) => ({
        orderLineId: line.id,
        quantity: state.startsWith('Partially') ? 1 : line.quantity,
      })),
    }
    const rest = lines.slice(1).map((line) => ({ orderLineId: line.id, quantity: line.quantity }))
    if (!state.startsWith('Partially')) parcel.lines.push(...rest)
    const paid =
      state === 'Draft'
        ? []
        : [{ id: `${id}5`, state: state === 'PaymentAuthorized' ? 'Authorized' : 'Settled', amount, refunds: [] }]
    return {
      id,
      code: `ORDER${id.padStart(6, '0')}`,
      type: 'Regular',
      state,
      active: false,
      createdAt: placed,
      updatedAt: placed,
      orderPlacedAt: state === 'Draft' ? null : placed,
      events: [
        { type: 'ORDER_STATE_TRANSITION', createdAt: placed, data: {} },
        ...(sent ? [{ type: 'ORDER_FULFILLMENT_TRANSITION', createdAt: after, data: {} }] : []),
        ...(cancelled ? [{ type: 'ORDER_CANCELLATION', createdAt: after, data: { reason: 'Too late' } }] : []),
        ...(n % 7 === 0 ? [{ type: 'ORDER_NOTE', createdAt: timeAt(n * 2 + 900), data: { note: 'Call back.' } }] : []),
      ],
      lines,
      payments: paid,
      fulfillments: sent ? [parcel] : [],
      guest: n % 3 === 0,
    }
  })
}
