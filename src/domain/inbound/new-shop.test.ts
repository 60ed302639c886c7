import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { nodesIn, plansOf } from '../../../test/support/read-plans.ts'
import { type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import { watchStatements } from '../../../test/support/watch-statements.ts'
import { insertInbound } from './inbound-store.ts'

/** A shop that begins to send, of which the statistics of the tables know nothing yet. */

let it: TestContext
let shops: [TellingShop, TellingShop]
let watch: ReturnType<typeof watchStatements>
let client: pg.Client
beforeAll(async () => {
  watch = watchStatements()
  it = await createTestContext()
  shops = [await tellingShop(it.context), await tellingShop(it.context)]
  client = new pg.Client({ connectionString: it.url })
  await client.connect()
})
afterAll(async () => {
  watch.stop()
  await client.end()
  await it.close()
})

const messages = (of: readonly TellingShop[], many: number) =>
  Array.from({ length: many }, (_, n) => ({
    ...{
      integration_id: of[n % of.length]?.integration.id ?? 0,
      delivery_id: randomUUID(),
      topic: null,
      verified: true,
    },
    ...{ kind: null, remote_id: null, headers: {}, query: {}, body: Buffer.from('{}') },
  }))

test.each([1, 2])('is not read through to see what it has sent before, with messages of %d shops', async (count) => {
  const { reader } = it.context
  const of = shops.slice(0, count)
  await insertInbound(reader, messages(of, 500))
  const { sent } = await watch.during(() => insertInbound(reader, messages(of, 16)))
  const [insert] = sent.filter(({ text }) => text.includes('insert into shop_messages'))
  if (!insert) throw new Error('Nothing was stored.')
  for (const planned of ['each time', 'once'] as const) {
    const looks = nodesIn(await plansOf(client, insert, planned)).filter((node) =>
      /^(shop_messages|inbound_deliveries)/.test(node['Relation Name'] ?? ''),
    )
    const conditions = looks.flatMap((node) =>
      node['Node Type'] === 'ModifyTable' ? [] : [JSON.stringify(Object(node)['Index Cond'] ?? node['Node Type'])],
    )
    expect(conditions.length).toBeGreaterThan(0)
    for (const condition of conditions) expect(condition).toContain('delivery_id')
  }
})
