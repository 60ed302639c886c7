import { typedKeys } from '../../src/commerce/connector/auth.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { object } from '../../src/lib/validation/fields.ts'

/** Connectors that are read, and never asked: without any part, and with all of them. */

export const never = async (): Promise<never> => {
  throw new Error('Nobody asks.')
}
export const translate = (): never => {
  throw new Error('Nobody asks.')
}
export const form = object({})

export const bare: Connector = {
  type: 'bare',
  name: 'Bare',
  settings: form,
  auth: typedKeys({ credentials: form, checkAccess: never }),
  remote: {
    origin: () => 'https://shop.example',
    authenticate: (request) => request,
    budgets: { default: { capacity: 1, perSecond: 1 } },
  },
}

/** A new one each time: parts can be told apart. */
const write = () => ({ repeatable: true, send: never }) as const
export const reads = { list: never, translate }
export const orders = { ...reads, get: never, statuses: never }

/** What else is done to orders. */
const changes = {
  ...{
    annotate: { ...write(), notes: true, tags: true },
    hold: write(),
    release: write(),
    capture: { ...write(), standing: never },
  },
}

export const whole: Connector = {
  ...bare,
  orders: { ...orders, create: write(), cancel: write(), cancelLines: write(), ...changes },
  products: { ...reads, export: write(), prices: { set: write(), compareAt: true } },
  inventory: { ...reads, locations: true, set: write() },
  customers: { ...reads, get: never },
  shipments: { partial: true, create: write(), amend: write(), cancel: write() },
  refunds: { create: write(), by: ['amount', 'lines'], restock: true, paidFor: translate },
  acknowledgement: { repeatable: true, send: never, clock: { hours: 4, runsIn: ['new'] } },
}
