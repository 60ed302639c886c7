import type { Write } from '../../src/commerce/connector/parts.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { refused, shopAway, type Transport } from '../../src/commerce/remote.ts'
import type { AnyFields } from '../../src/commerce/shop.ts'
import { resolveOperations } from '../../src/domain/actions/resolve-operations.ts'
import type { Context } from '../../src/domain/context.ts'
import type { OperationKind } from '../../src/domain/operations/operation.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { neverSent } from '../../src/runtime/egress/egress-faults.ts'
import type { TestContext } from './context.ts'
import { connectShops, scriptedPlatform } from './scripted-shop.ts'

/**
 * A shop that makes every change it is sent, however often: its ledger shows what came twice. It can be asked
 * whether it has made one.
 */
function ledgerShop() {
  const effects: string[] = []
  const known = new Map<string, object>()
  let fault: 'none' | 'before' | 'unsent' | 'away' | 'lost' | 'refuses' | 'busy' = 'none'
  const platform = scriptedPlatform()
  const transport: Transport = async (call) => {
    const id = new URL(call.url).pathname.slice(1)
    if (call.request.method === 'GET') {
      const found = known.get(id)
      return { status: found ? 200 : 404, headers: {}, body: found ?? null }
    }
    if (fault === 'unsent') throw neverSent(shopAway())
    if (fault === 'away') return { status: 503, headers: {}, body: '' }
    if (fault === 'busy') return { status: 429, headers: { 'retry-after': '60' }, body: '' }
    if (fault === 'refuses') return { status: 422, headers: {}, body: '' }
    effects.push(id)
    const made = { id, number: effects.length }
    known.set(id, made)
    if (fault === 'lost') throw shopAway()
    return { status: 200, headers: {}, body: made }
  }
  const write = (repeatable: boolean): Write<AnyFields, AnyFields, unknown, unknown> => {
    const send: Write<AnyFields, AnyFields, unknown, unknown>['send'] = async ({ remote }, input, { id }) => {
      if (fault === 'before') throw new Error('A connector stumbled.')
      // A shop that knows names of changes makes each once.
      const seen = repeatable ? known.get(id) : undefined
      if (seen) return seen
      const reply = await remote.request({ method: 'POST', path: `/${id}`, body: input })
      if (reply.status === 422) throw refused('The shop does not want that.')
      return reply.body
    }
    if (repeatable) return { send, repeatable: true }
    return {
      send,
      repeatable: false,
      confirm: async ({ remote }, _input, { id }) => {
        const reply = await remote.request({ method: 'GET', path: `/${id}` })
        return reply.status === 404 ? null : reply.body
      },
    }
  }
  return { platform, transport, effects, write, set: (next: typeof fault) => (fault = next) }
}

type LedgerShop = ReturnType<typeof ledgerShop>

export const kinds: readonly OperationKind[] = [
  'create_order',
  'cancel_order',
  'acknowledge_orders',
  'export_product',
  'set_inventory',
  'create_shipment',
]

/** The connector with that write in the place of each kind. */
export function connectorWith({ platform, write }: LedgerShop, repeatable: boolean): Connector {
  const every = write(repeatable) as never
  const reads = { list: async () => ({ items: [], next: null, total: 0 }), translate: (raw: unknown) => raw as never }
  return {
    ...platform.connector,
    orders: { ...reads, get: async () => null, statuses: async () => [], create: every, cancel: every },

    products: { ...reads, export: every },
    inventory: { ...reads, locations: false, set: every },
    shipments: { create: every, partial: true },
    acknowledgement: every,
  }
}

/** An integration with such a shop, and ways to change it. */
export async function ledgerWorld(tested: Pick<TestContext, 'context' | 'database'>, repeatable: boolean) {
  const shop = ledgerShop()
  const connector = connectorWith(shop, repeatable)
  const context: Context = {
    ...tested.context,
    connectors: new Map([[connector.type, connector]]),
    transport: shop.transport,
  }
  const [integration] = await connectShops(context, shop.platform, { count: 1, endsInSeconds: null })
  if (!integration) throw new Error('There is no integration.')
  interface Options {
    once?: boolean
    context?: Context
    key?: string
    check?: () => Promise<void>
  }
  const change = async (kind: OperationKind, options: Options = {}) => {
    const { write } = await openShop(options.context ?? context, integration)
    const { once = false, key = 'k', check } = options
    return await write({ kind, key, input: { wanted: key }, once, ...(check && { check }) }, shop.write(repeatable))
  }
  const statusOf = async (kind: OperationKind) => {
    const rows = await tested.database.query<{ status: string; settled: boolean }>(
      'select status, settled_at is not null as settled from operations where integration_id = $1 and kind = $2',
      [integration.id, kind],
    )
    return rows[0]?.status
  }
  const resolve = () => resolveOperations.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
  return { shop, context, integration, change, statusOf, resolve }
}
