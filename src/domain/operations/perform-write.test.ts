import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { earlier } from '../../../test/support/earlier.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { said } from '../../../test/support/said.ts'
import { connectShops, scriptedPlatform } from '../../../test/support/scripted-shop.ts'
import type { Write } from '../../commerce/connector/parts.ts'
import type { Connector } from '../../commerce/connector.ts'
import { cannotTell, refused, shopAway, type Transport } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { neverSent } from '../../runtime/egress/egress-faults.ts'
import { resolveOperations } from '../actions/resolve-operations.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { openShop } from '../shop/open-remote.ts'
import type { OperationKind } from './operation.ts'

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

const kinds: readonly OperationKind[] = [
  'create_order',
  'cancel_order',
  'acknowledge_orders',
  'export_product',
  'set_inventory',
  'create_shipment',
]

/** The connector with that write in the place of each kind. */
function connectorWith({ platform, write }: LedgerShop, repeatable: boolean): Connector {
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

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

async function setUp(repeatable: boolean) {
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

/** As it is sent: levels and prices of several articles together, products one by one. */
const listed = (kind: OperationKind, one: object) => (kind === 'export_product' ? one : [one])

/** As if so many seconds had gone by. */
async function pass(integration: Integration, seconds: number) {
  await tested.database.query(
    `update operations set ${['lease_until', 'sent_at', 'updated_at'].map((time) => `${time} = ${earlier(time, '$2')}`)}
     where integration_id = $1`,
    [integration.id, seconds],
  )
  // Being busy passes as well.
  await tested.database.query('delete from rate_budgets')
}

/** A process that dies before the n-th statement it would have sent; nothing of it is heard again. */
function dyingAt(context: Context, statement: number): Context {
  let left = statement
  const db = context.db.withPlugin({
    transformQuery({ node }) {
      if (--left < 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { ...context, db }
}

const faults = ['before', 'unsent', 'away', 'lost', 'busy'] as const

describe.each([false, true])('a change that may be repeated: %s', (repeatable) => {
  test.each(kinds)('%s is made once, whatever goes wrong and whoever tries again', async (kind) => {
    for (const fault of faults) {
      const { shop, integration, change } = await setUp(repeatable)
      shop.set(fault)
      await change(kind).then(
        () => expect.fail('It went well.'),
        () => undefined,
      )
      shop.set('none')
      await pass(integration, 200)
      const { result, settle } = await change(kind)
      expect([fault, shop.effects.length]).toEqual([fault, 1])
      expect(result).toMatchObject({ number: 1 })
      await settle(tested.context.db)
    }
  })

  test.each(kinds)('%s is made once when the process dies at any step', async (kind) => {
    let died = 0
    for (let statement = 0; statement < 12; statement++) {
      const { shop, context, integration, change } = await setUp(repeatable)
      const ended = await change(kind, { context: dyingAt(context, statement) }).then(
        () => 'well',
        () => 'dead',
      )
      if (ended === 'dead') died++
      await pass(integration, 200)
      await change(kind)
      expect([statement, shop.effects.length]).toEqual([statement, 1])
      if (ended === 'well') break
    }
    expect(died).toBeGreaterThanOrEqual(4)
  })
})

describe('a change', () => {
  test('whose end nobody saw is not repeated before the shop has had time to make it', async () => {
    const { shop, integration, change, statusOf } = await setUp(false)
    shop.set('away')
    await faultOf(change('create_order'))
    expect(await statusOf('create_order')).toBe('unknown')
    shop.set('none')
    expect(await faultOf(change('create_order'))).toMatchObject({ kind: 'upstream_retryable' })
    expect(shop.effects).toHaveLength(0)
    await pass(integration, 31)
    await change('create_order')
    expect(shop.effects).toHaveLength(1)
  })

  test('that never left is simply planned, and goes at once the next time', async () => {
    const { shop, change, statusOf } = await setUp(false)
    shop.set('unsent')
    await faultOf(change('create_order'))
    expect(await statusOf('create_order')).toBe('planned')
    shop.set('none')
    await change('create_order')
    expect(shop.effects).toHaveLength(1)
  })

  test('that the shop refuses is over; asked for again, it is a new one', async () => {
    const { shop, change, statusOf } = await setUp(false)
    shop.set('refuses')
    expect(await faultOf(change('create_order'))).toMatchObject({ kind: 'upstream_refused' })
    expect(await statusOf('create_order')).toBe('refused')
    shop.set('none')
    await change('create_order')
    expect(await statusOf('create_order')).toBe('confirmed')
  })

  test('that is made is the answer until our copy shows it; after that it may be wanted again', async () => {
    const { shop, change } = await setUp(false)
    await change('create_order')
    const { settle } = await change('create_order')
    expect(shop.effects).toHaveLength(1)
    await settle(tested.context.db)
    await change('create_order')
    expect(new Set(shop.effects).size).toBe(2)
  })

  test.each([
    { made: 'hold_order', undone: 'release_order' },
    { made: 'release_order', undone: 'hold_order' },
    { made: 'annotate_order', undone: 'annotate_order' },
    { made: 'cancel_shipment', undone: 'create_shipment' },
    { made: 'amend_shipment', undone: 'amend_shipment' },
    { made: 'set_inventory', undone: 'set_inventory' },
    { made: 'set_prices', undone: 'set_prices' },
    { made: 'export_product', undone: 'export_product' },
  ] as const)(
    'is no answer any longer once it was changed back, though our copy never showed it: %o',
    async (kinds) => {
      const { shop, context, integration } = await setUp(false)
      const { write } = await openShop(context, integration)
      const change = (kind: OperationKind, wanted: string) =>
        write({ kind, key: wanted, input: { order_remote_id: '7', wanted } }, shop.write(false))
      await change(kinds.made, 'so')
      await change(kinds.made, 'so')
      expect(shop.effects).toHaveLength(1)
      await (await change(kinds.undone, 'otherwise')).settle(tested.context.db)
      await change(kinds.made, 'so')
      expect(new Set(shop.effects).size).toBe(3)
    },
  )

  test.each(
    (['set_inventory', 'set_prices', 'export_product'] as const).flatMap((kind) => [
      { kind, between: 'cup', sent: 3 },
      { kind, between: 'saucer', sent: 2 },
    ]),
  )(
    'that sets how things are has a name of its own once the same article was set otherwise, and no other: %o',
    async ({ kind, between, sent }) => {
      const { shop, context, integration } = await setUp(true)
      const { write } = await openShop(context, integration)
      const show = (sku: string, wanted: number) =>
        write({ kind, key: `${sku} ${wanted}`, input: listed(kind, { sku, wanted }) }, shop.write(true))
      shop.set('lost')
      await faultOf(show('cup', 5))
      shop.set('none')
      await (await show(between, 7)).settle(tested.context.db)
      // To what it knows by name the shop gives the answer, and shows what it was told last.
      await (await show('cup', 5)).settle(tested.context.db)
      expect([shop.effects.length, new Set(shop.effects).size]).toEqual([sent, sent])
      await pass(integration, 200)
    },
  )

  test('whose answer can no longer be opened has been made all the same, however often it is asked for', async () => {
    const { shop, integration, change } = await setUp(false)
    await change('create_order', { once: true })
    // Sealed for another place.
    await tested.database.query('update operations set private_result = private_input where integration_id = $1', [
      integration.id,
    ])
    for (const _ of [1, 2, 3])
      expect(await faultOf(change('create_order', { once: true }))).toMatchObject({ kind: 'upstream_refused' })
    expect(shop.effects).toHaveLength(1)
  })

  test('whose result the database cannot hold is made once all the same', async () => {
    const { shop, context, integration } = await setUp(false)
    const strange = { name: 'a\0b\ud800 \\u0000', '\0': 1 }
    const odd = { ...shop.write(false), send: async () => strange }
    const { write } = await openShop(context, integration)
    await write({ kind: 'create_order', key: 'odd', input: {} }, odd)
    const again = await write({ kind: 'create_order', key: 'odd', input: {} }, odd)
    expect(again.result).toEqual({ name: 'ab\ufffd \\u0000', '': 1 })
  })

  test('of which there is only one stays the answer', async () => {
    const { shop, change } = await setUp(false)
    await (await change('create_shipment', { once: true })).settle(tested.context.db)
    await change('create_shipment', { once: true })
    expect(shop.effects).toHaveLength(1)
  })

  test('is looked at before it is made, and never after', async () => {
    const { shop, change, statusOf } = await setUp(false)
    const refuse = async () => {
      throw new Error('It was cancelled.')
    }
    await expect(change('create_shipment', { once: true, check: refuse })).rejects.toThrow('It was cancelled.')
    expect([shop.effects, await statusOf('create_shipment')]).toEqual([[], 'planned'])
    await change('create_shipment', { once: true, check: async () => undefined })
    await change('create_shipment', { once: true, check: refuse })
    expect(shop.effects).toHaveLength(1)
  })

  test('is made by one of all who want it at the same time', async () => {
    const { shop, change } = await setUp(false)
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => change('create_order')))
    expect(tries.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(shop.effects).toHaveLength(1)
  })
})

describe('what stays in doubt', () => {
  test.each([false, true])(
    'is looked into by a job, which makes nothing twice (repeatable: %s)',
    async (repeatable) => {
      const { shop, integration, change, statusOf, resolve } = await setUp(repeatable)
      shop.set('lost')
      for (const kind of kinds) await faultOf(change(kind))
      shop.set('none')
      await pass(integration, 500)
      await resolve()
      expect(shop.effects).toHaveLength(kinds.length)
      for (const kind of ['create_order', 'cancel_order', 'create_shipment', 'acknowledge_orders'] as const) {
        expect(await statusOf(kind)).toBe('confirmed')
      }
      expect(await statusOf('set_inventory')).toBe(repeatable ? 'unknown' : 'confirmed')
      for (const kind of kinds) await change(kind)
      expect(shop.effects).toHaveLength(kinds.length)
    },
  )

  test('and turns out not to have happened is left to whoever wants it', async () => {
    const { shop, integration, change, statusOf, resolve } = await setUp(false)
    shop.set('away')
    await faultOf(change('create_order'))
    shop.set('none')
    await pass(integration, 500)
    await resolve()
    expect([shop.effects.length, await statusOf('create_order')]).toEqual([0, 'planned'])
  })
})

test('what is asked after is what was sent, however things stand by then', async () => {
  const { shop, context, integration } = await setUp(false)
  const { write } = await openShop(context, integration)
  const asked: unknown[] = []
  const part = {
    ...shop.write(false),
    confirm: async (_: unknown, input: unknown) => {
      asked.push(input)
      return null
    },
  }
  const plan = (before: number) => ({ kind: 'create_refund', key: 'r', input: { before } }) as const
  shop.set('lost')
  for (const before of [1, 2]) {
    await write(plan(before), part).catch(() => undefined)
    await pass(integration, 60)
  }
  await write(plan(3), part).catch(() => undefined)
  // The second was sent again, since the first had not happened.
  expect(asked).toEqual([{ before: 1 }, { before: 2 }])
})

test('what cannot be told from the change of somebody else stays in doubt, until somebody insists', async () => {
  const { shop, context, integration, statusOf, resolve } = await setUp(false)
  const { write } = await openShop(context, integration)
  const confirm = async () => {
    throw cannotTell(said('Whose it is cannot be told.'))
  }
  const part = { ...shop.write(false), confirm }
  const plan = { kind: 'create_refund', key: 'r', input: {} } as const
  shop.set('lost')
  await write(plan, part).catch(() => undefined)
  shop.set('none')
  await pass(integration, 200)
  expect((await faultOf(write(plan, part)))?.errors).toEqual({ force: ['Whose it is cannot be told.'] })
  await resolve()
  expect([shop.effects.length, await statusOf('create_refund')]).toEqual([1, 'unknown'])
  await pass(integration, 200)
  await write({ ...plan, insists: true }, part)
  expect([shop.effects.length, await statusOf('create_refund')]).toEqual([2, 'confirmed'])
})

test.each([
  { repeatable: false, kind: 'cancel_order' },
  { repeatable: true, kind: 'set_inventory' },
] as const)(
  'what a shop works on for minutes is asked after by its receipt, and sent once: %o',
  async ({ repeatable, kind }) => {
    const { shop, context, integration, statusOf } = await setUp(repeatable)
    let end: 'none' | 'made' | 'refused' = 'none'
    const asked: string[] = []
    const outcome = async (receipt: string) => {
      asked.push(receipt)
      if (end === 'none') throw shopAway(60)
      if (end === 'refused') throw refused('Too late.')
      return 'made'
    }
    const part: Write<AnyFields, AnyFields, unknown, unknown> = {
      async send({ remote }, _, { id, receipt = null, keep }) {
        if (receipt !== null) return await outcome(receipt)
        await remote.request({ method: 'POST', path: `/${id}` })
        await keep?.('receipt-1')
        return await outcome('receipt-1')
      },
      ...(repeatable
        ? { repeatable: true }
        : {
            repeatable: false,
            confirm: async (_shop, _input, { receipt = null }) => (receipt === null ? null : await outcome(receipt)),
          }),
    }
    const connector = connectorWith({ ...shop, write: () => part }, repeatable)
    const slow: Context = { ...context, connectors: new Map([[connector.type, connector]]) }
    const { write } = await openShop(slow, integration)
    const change = (key: string) => write({ kind, key, input: {} }, part)
    const waits = { kind: 'upstream_retryable', retryAfterSeconds: 60 }
    for (const _ of [1, 2]) expect(await faultOf(change('a'))).toMatchObject(waits)
    await pass(integration, 200)
    await resolveOperations.run(slow, {}, { signal: new AbortController().signal, attempt: 1 })
    expect([await statusOf(kind), shop.effects.length]).toEqual(['unknown', 1])
    end = 'made'
    expect((await change('a')).result).toBe('made')
    expect([await statusOf(kind), shop.effects.length, new Set(asked).size]).toEqual(['confirmed', 1, 1])
    await tested.database.query('delete from operations where integration_id = $1', [integration.id])
    end = 'none'
    await faultOf(change('b'))
    end = 'refused'
    expect(await faultOf(change('b'))).toMatchObject({ kind: 'upstream_refused', message: 'Too late.' })
    expect(await statusOf(kind)).toBe('refused')
  },
)
