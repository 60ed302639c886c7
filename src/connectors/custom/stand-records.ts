/** What a shop of the stand holds, whatever it calls it. */

export interface StandOrder {
  id: number
  state: 'waiting' | 'ready' | 'sent' | 'gone'
  cents: number
  created: number
  changed: number
  rows: readonly { id: number; sku: string; name: string; qty: number; cents: number }[]
  parcels: { id: number; tracking: string; carrier: string; key: string | null }[]
}

interface StandArticle {
  id: number
  sku: string
  title: string
  cents: number
  left: number
  changed: number
}

export interface Books {
  orders: StandOrder[]
  articles: StandArticle[]
  cancel(order: StandOrder): void
  /** Once for each key, where there is one. */
  send(order: StandOrder, parcel: { tracking: string; carrier: string; key: string | null }): void
  stock(sku: string, left: number): boolean
  openOrder(): string
  doubles(): string[]
}

const start = 1_790_000_000
const states = ['ready', 'ready', 'waiting', 'sent', 'gone'] as const

export function makeBooks(): Books {
  let clock = start + 1_000_000
  const articles = Array.from({ length: 57 }, (_, n) => ({
    id: n + 1,
    sku: `SKU/${n + 1}`,
    title: `Thing ${n + 1}`,
    cents: 250 + n * 10,
    left: n,
    changed: start + n * 60,
  }))
  const orders = Array.from({ length: 83 }, (_, n): StandOrder => {
    const article = articles[n % articles.length]
    const cents = article?.cents ?? 0
    return {
      id: 1001 + n,
      state: states[n % states.length] ?? 'ready',
      cents: cents * 2,
      created: start + n * 30,
      changed: start + n * 90,
      rows: [{ id: n * 10 + 1, sku: article?.sku ?? '', name: article?.title ?? '', qty: 2, cents }],
      parcels: [],
    }
  })
  const used = new Set<number>()
  return {
    orders,
    articles,
    cancel(order) {
      order.state = 'gone'
      order.changed = ++clock
    },
    send(order, parcel) {
      if (parcel.key !== null && order.parcels.some(({ key }) => key === parcel.key)) return
      order.parcels.push({ id: order.parcels.length + 1, ...parcel })
      order.state = 'sent'
      order.changed = ++clock
    },
    stock(sku, left) {
      const article = articles.find((one) => one.sku === sku)
      if (!article) return false
      article.left = left
      return true
    },
    openOrder() {
      const order = orders.find(({ id, state }) => state === 'ready' && !used.has(id))
      if (!order) throw new Error('No order is left.')
      used.add(order.id)
      return String(order.id)
    },
    doubles: () =>
      orders.flatMap(({ id, parcels }) => {
        const numbers = parcels.map(({ tracking }) => tracking)
        return new Set(numbers).size === numbers.length ? [] : [`order ${id} was sent twice`]
      }),
  }
}
