import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { findDelivery, makeDue } from '../inbound-list-store.ts'
import { insertInbound } from '../inbound-store.ts'
import { dueDeliveries } from '../inbound-work-store.ts'
import { pruneInbound } from '../prune-inbound.ts'
import { readContent } from '../sealing/read-content-store.ts'
import { beginEra, readEras } from './era-store.ts'

let it: TestContext
let shop: number
let today: number

beforeEach(async () => {
  it = await createTestContext()
  shop = (await makeIntegration(it.context, { appId: null })).integration.id
  today = (await readEras(it.context.db)).today
  // The first era lasts for five days from then on.
  await sql`update migrations set applied_at = now() - interval '40 days'`.execute(it.context.db)
})
afterEach(() => it.close())

const prune = () => pruneInbound.perform(it.context, {}, { attempt: 1, signal: new AbortController().signal })
const eras = async () => (await readEras(it.context.db)).eras
const begin = (era: number) => it.context.transaction((trx) => beginEra(trx, era))

const message = (key: string) => ({
  ...{ integration_id: shop, delivery_id: key, topic: null, verified: true, kind: null, remote_id: null },
  ...{ headers: {}, query: {}, body: Buffer.from(`says ${key}`) },
})
/** Those that are new. */
const come = async (...keys: string[]) =>
  [...(await insertInbound(it.context.reader, keys.map(message)))].map((key) => key.split('/')[1])

/** It came so many days ago and was processed, or waits. */
async function came(key: string, days: number, end: 'processed' | 'waits' = 'processed'): Promise<void> {
  expect(await come(key)).toEqual([key])
  await sql`update shop_messages set received_at = now() - make_interval(days => ${days}::int),
      processed_at = ${end === 'processed' ? sql`now()` : null}, outcome = ${end === 'processed' ? 'stored' : null}
    where integration_id = ${shop} and delivery_id = ${key}`.execute(it.context.db)
}

/** By era, in the order in which they came. */
async function kept(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ era: string; keys: string[] }>`
    select era::text, array_agg(delivery_id order by id) as keys from shop_messages
    where integration_id = ${shop} group by era`.execute(it.context.db)
  return Object.fromEntries(rows.map(({ era, keys }) => [era, keys]))
}

test('an era of some days is followed by the next, and a message of any of them is known when it comes again', async () => {
  await came('a', 0)
  await prune()
  const begun = await eras()
  expect(begun.at(-1)).toBe(today)
  expect(await come('a', 'b')).toEqual(['b'])
  await prune()
  expect(await eras()).toEqual(begun)
  expect(await kept()).toEqual({ 1: ['a'], [today]: ['b'] })
  expect(await come('a', 'b')).toEqual([])
})

test('no era begins while a message is being stored: it would not be known there', async () => {
  await it.context.transaction(async (trx) => {
    await sql`insert into shop_messages (integration_id, delivery_id, body) values (${shop}, 'a', '')`.execute(trx)
    await expect(begin(today)).rejects.toMatchObject({ code: '55P03' })
  })
  expect(await eras()).not.toContain(today)
  await begin(today)
  expect(await come('a', 'b')).toEqual(['b'])
})

test('an era whose last message is older than a month is dropped whole, and what waits in it goes on waiting', async () => {
  await begin(today - 36)
  await came('first', 36)
  await came('waits', 35, 'waits')
  await came('last', 31)
  await begin(today - 4)
  await came('recent', 3)
  await prune()
  expect(await eras()).toEqual([today - 4])
  expect(await kept()).toEqual({ [today - 4]: ['waits', 'recent'] })
  const [due] = await dueDeliveries(it.context.db, shop, 10)
  expect(due?.body.toString()).toBe('says waits')
  expect(await come('waits', 'last')).toEqual(['last'])
})

test('what waits is kept however old it is, and goes when it was processed', async () => {
  await came('waits', 90, 'waits')
  await prune()
  await prune()
  const [due] = await dueDeliveries(it.context.db, shop, 10)
  await sql`update shop_messages set processed_at = now(), outcome = 'failed'
    where integration_id = ${shop} and id = ${due?.id ?? 0}`.execute(it.context.db)
  await prune()
  expect(await kept()).toEqual({})
})

test('messages of an era that can be dropped within a week wait for that; of any other they go one by one', async () => {
  await begin(today - 34)
  await came('old', 33)
  await came('last', 26)
  await begin(today - 4)
  await came('now', 0)
  await prune()
  expect(await kept()).toEqual({ [today - 34]: ['old', 'last'], [today - 4]: ['now'] })
  await sql`update shop_messages set received_at = now() where integration_id = ${shop} and delivery_id = 'last'`.execute(
    it.context.db,
  )
  await prune()
  expect(await kept()).toEqual({ [today - 34]: ['last'], [today - 4]: ['now'] })
})

test('a message is found, opened and made due again in any era', async () => {
  await came('a', 1)
  await begin(today)
  await came('b', 0)
  const { rows } = await sql<{ id: number }>`
    select id from shop_messages where integration_id = ${shop} order by id`.execute(it.context.db)
  const [first, second] = rows.map(({ id }) => id)
  expect((second ?? 0) > (first ?? 0)).toBe(true)
  expect((await findDelivery(it.context.db, shop, first ?? 0)).delivery_id).toBe('a')
  expect((await readContent(it.context.db, shop, first ?? 0)).body.toString()).toBe('says a')
  await makeDue(it.context.db, shop, second ?? 0)
  await makeDue(it.context.db, shop, first ?? 0)
  expect((await dueDeliveries(it.context.db, shop, 10)).map(({ id }) => id)).toEqual([first, second])
})

test('after a restore, which brings eras and not which of them is open, the next begins and nothing is lost', async () => {
  await begin(today - 3)
  await came('before', 3)
  await sql`alter table shop_messages alter column era set default 1`.execute(it.context.db)
  await came('after', 0)
  expect(await come('before')).toEqual([])
  await prune()
  expect(await kept()).toEqual({ 1: ['after'], [today - 3]: ['before'] })
  expect(await come('after', 'before', 'new')).toEqual(['new'])
  expect(await kept()).toMatchObject({ [today]: ['new'] })
})
