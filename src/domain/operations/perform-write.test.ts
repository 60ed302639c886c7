import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { earlier } from '../../../test/support/earlier.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { connectorWith, kinds, ledgerWorld } from '../../../test/support/ledger-shop.ts'
import { said } from '../../../test/support/said.ts'
import type { Write } from '../../commerce/connector/parts.ts'
import { cannotTell, refused, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { resolveOperations } from '../actions/resolve-operations.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { openShop } from '../shop/open-remote.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const setUp = (repeatable: boolean) => ledgerWorld(tested, repeatable)

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
