import type { Connector, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { refused } from '../../commerce/remote.ts'
import { authenticate } from './authenticate.ts'
import type { Dialect } from './dialect.ts'
import { budgets, readAnswer } from './read-answer.ts'
import type { Credentials, SandboxFacts, SandboxShop, Settings } from './settings.ts'

export type ChooseDialect = (facts: SandboxFacts & { credentials?: Credentials }) => Dialect

type Parts = Required<
  Pick<Connector<Settings, Credentials>, 'orders' | 'acknowledgement' | 'products' | 'inventory' | 'shipments'>
>

/** The way to a simulator; shops in this process have another one. */
export const remote: Connector<Settings, Credentials>['remote'] = {
  origin: ({ shop, settings: { base_url: base } }) => base?.replace(/\/$/, '') ?? `https://${shop}`,
  authenticate,
  budgets,
  read: readAnswer,
}

/** What can be done in a shop, in the dialect that it speaks. */
export const partsFor = (dialectOf: ChooseDialect): Parts => ({
  orders: {
    list: (shop, query) => listOrders(dialectOf(shop), shop, query),
    get: (shop, remoteId) => dialectOf(shop).orders.get(shop, remoteId),
    translate: (raw, facts) => dialectOf(facts).orders.translate(raw, facts),
    create: {
      repeatable: false,
      send: async (shop, draft, operation) => {
        const { create } = dialectOf(shop).orders
        if (!create) throw refused('Orders are not made in this shop from outside.')
        return await create(shop, draft, operation)
      },
      confirm: async (shop, draft, operation) =>
        (await dialectOf(shop).orders.findMade?.(shop, draft, operation)) ?? null,
    },
    cancel: {
      repeatable: true,
      send: (shop, input, operation) => dialectOf(shop).orders.cancel(shop, input, operation),
    },
  },
  acknowledgement: {
    repeatable: true,
    send: async (shop, { remoteIds }, operation) => {
      const { acknowledge } = dialectOf(shop)
      // A platform that does not want to be told has no objections.
      if (!acknowledge) return remoteIds.map((remoteId) => ({ remoteId, ok: true, error: null }))
      return await acknowledge(shop, remoteIds, operation)
    },
  },
  products: {
    list: (shop, query) => dialectOf(shop).products.list(shop, query),
    get: (shop, remoteId) => dialectOf(shop).products.get(shop, remoteId),
    translate: (raw, facts) => dialectOf(facts).products.translate(raw, facts),
    export: {
      repeatable: true,
      send: (shop, draft, operation) => dialectOf(shop).products.export(shop, draft, operation),
    },
  },
  inventory: {
    locations: true,
    list: (shop, query) => dialectOf(shop).inventory.list(shop, query),
    translate: (raw, facts) => dialectOf(facts).inventory.translate(raw, facts),
    set: {
      repeatable: true,
      send: (shop, items, operation) => dialectOf(shop).inventory.set(shop, items, operation),
    },
  },
  shipments: {
    partial: true,
    create: {
      repeatable: false,
      send: (shop, draft, operation) => dialectOf(shop).ship(shop, draft, operation),
      confirm: (shop, draft, operation) => dialectOf(shop).findShipped(shop, draft, operation),
    },
  },
})

/** Statuses are asked for in our words or the platform's; most dialects leave it to us to tell. */
async function listOrders({ orders }: Dialect, shop: SandboxShop, query: ReadQuery): Promise<RawPage> {
  const page = await orders.list(shop, query)
  if (orders.selects || query.statuses.length === 0) return page
  const wanted = new Set(query.statuses.map((word) => word.toLowerCase()))
  const items = page.items.filter((raw) => {
    const { status, fulfillment_status: fulfillment, remote_status: remoteStatus } = orders.translate(raw, shop)
    return [status, fulfillment, remoteStatus.toLowerCase()].some((word) => wanted.has(word))
  })
  return { items, next: page.next, total: null }
}
