import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { keysForSealing } from '../../../runtime/db/vault/vault.ts'
import { findDelivery } from '../inbound-list-store.ts'
import { insertInbound } from '../inbound-store.ts'
import { dueDeliveries, finishDeliveries, postponeDeliveries } from '../inbound-work-store.ts'
import { pruneInbound } from '../prune-inbound.ts'
import { sealContent } from '../sealing/sealed-delivery.ts'
import { readEras } from './era-store.ts'

/**
 * Programs from before there were eras, which are still at work while this one comes in. What they ask is here to the letter, as it was before
 * migration 0093: they know the first era only, under the name that all messages had.
 */

const before = {
  insert: `
  insert into inbound_deliveries (integration_id, delivery_id, topic, verified, kind, remote_id, size, body, private)
  select integration_id, delivery_id, topic, verified, kind, remote_id, size, '\\x', substr($10::bytea, place, length)
  from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[])
    r(integration_id, delivery_id, topic, verified, kind, remote_id, size, place, length)
  on conflict (integration_id, delivery_id) do nothing
  returning integration_id, delivery_id`,
  due: `
    select integration_id, delivery_id, id, topic, verified, headers, query, body, private, attempts, received_at,
      extract(epoch from now() - received_at)::float8 as age from inbound_deliveries
    where integration_id = $1 and processed_at is null and next_attempt_at <= now() order by id`,
  finish: `
    update inbound_deliveries d
    set processed_at = now(), outcome = r.outcome,
      (error, private_error, reason, private_reason, private, size, body, headers, query) = (
        select case when not told.gone then r.error end, case when not told.gone then decode(r.private_error, 'hex') end,
          case when not told.gone then r.reason end, case when not told.gone then decode(r.private_reason, 'hex') end,
          case when not told.gone then d.private end, case when not told.gone then d.size end,
          case when told.gone then '\\x' else d.body end, case when told.gone then '{}' else d.headers end,
          case when told.gone then '{}' else d.query end
        from (
          select coalesce(r.forget, false) or d.forget or (d.kind = 'order' and exists (
            select from orders o
            where o.integration_id = $1 and o.remote_id = d.remote_id and o.redacted_at is not null)) as gone
        ) told)
    from jsonb_to_recordset($2::jsonb)
      r(id bigint, outcome text, error text, private_error text, reason jsonb, private_reason text, forget boolean)
    where d.integration_id = $1 and d.id = r.id`,
  postpone: `
    update inbound_deliveries d
    set attempts = d.attempts + 1, error = null, private_error = decode(r.private_error, 'hex'), reason = null,
      private_reason = decode(r.private_reason, 'hex'), next_attempt_at = r.next
    from jsonb_to_recordset($2::jsonb)
      r(id bigint, next timestamptz, private_error text, private_reason text)
    where d.integration_id = $1 and d.id = r.id and d.processed_at is null`,
  count: 'update inbound_deliveries set attempts = attempts + 1 where integration_id = $1 and id = $2',
  old: `
    select integration_id, id from inbound_deliveries
    where received_at < now() - make_interval(days => $1::int) limit $2`,
  delete: 'delete from inbound_deliveries where integration_id = $1 and id = any($2::bigint[])',
}

let it: TestContext
let shop: number

beforeEach(async () => {
  it = await createTestContext('nobody')
  shop = (await makeIntegration(it.context, { appId: null })).integration.id
})
afterEach(() => it.close())

const message = (key: string) => ({
  ...{ integration_id: shop, delivery_id: key, topic: null, verified: true, kind: null, remote_id: null },
  ...{ headers: {}, query: {}, body: Buffer.from(`says ${key}`) },
})
const ask = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await it.context.reader.query<Row>(text, values)).rows

/** Those that are new. */
const storedNow = async (keys: readonly string[]) =>
  [...(await insertInbound(it.context.reader, keys.map(message)))].map((key) => key.split('/')[1] ?? '')

async function storedBefore(keys: readonly string[]): Promise<string[]> {
  const rows = keys.toSorted().map(message)
  const key = (await keysForSealing(it.context.reader, [shop]))(shop)
  const sealed = rows.map((row) => sealContent(key, row, row))
  const places = sealed.map((_, n) => 1 + sealed.slice(0, n).reduce((sum, { length }) => sum + length, 0))
  const inserted = await ask<{ delivery_id: string }>(
    before.insert,
    rows.map((row) => row.integration_id),
    rows.map((row) => row.delivery_id),
    rows.map((row) => row.topic),
    rows.map((row) => row.verified),
    rows.map((row) => row.kind),
    rows.map((row) => row.remote_id),
    rows.map((row) => row.body.length),
    places,
    sealed.map(({ length }) => length),
    Buffer.concat(sealed),
  )
  return inserted.map(({ delivery_id }) => delivery_id)
}

const duringUpgrade = (count: number) => Array.from({ length: count }, (_, n) => `m${String(n).padStart(4, '0')}`)

test('a message that comes to both is stored once, by whoever was first', async () => {
  expect(await storedBefore(['a', 'b'])).toEqual(['a', 'b'])
  expect(await storedNow(['a', 'b', 'c'])).toEqual(['c'])
  expect(await storedBefore(['a', 'b', 'c', 'd'])).toEqual(['d'])
  const all = duringUpgrade(400)
  const parts = Array.from({ length: 20 }, (_, n) => all.slice(n * 20, (n + 1) * 20))
  // Each part four times at once.
  const stored = await Promise.all(
    parts.flatMap((part) => [storedNow(part), storedBefore(part), storedNow(part), storedBefore(part)]),
  )
  expect(stored.flat().toSorted()).toEqual(all)
  expect(
    await ask(
      `select count(*)::int as rows, count(distinct delivery_id)::int as keys, count(distinct id)::int as ids from shop_messages`,
    ),
  ).toEqual([{ rows: 404, keys: 404, ids: 404 }])
})

test('what either has stored is processed by the other', async () => {
  await storedBefore(['a', 'b'])
  await storedNow(['c', 'd'])
  const due = await dueDeliveries(it.context.db, shop, 10)
  expect(due.map(({ body }) => body.toString())).toEqual(['says a', 'says b', 'says c', 'says d'])
  const [a = 0, b = 0, c = 0, d = 0] = due.map(({ id }) => id)
  expect((await ask<{ id: number }>(before.due, shop)).map(({ id }) => id)).toEqual([a, b, c, d])
  await it.context.transaction((trx) => finishDeliveries(trx, shop, [{ id: a, outcome: 'stored' }]))
  await postponeDeliveries(it.context.db, shop, [{ id: b, seconds: 3600, error: 'Later.' }])
  expect((await ask<{ id: number }>(before.due, shop)).map(({ id }) => id)).toEqual([c, d])
  await ask(before.finish, shop, JSON.stringify([{ id: c, outcome: 'unchanged' }]))
  await ask(before.count, shop, d)
  await ask(before.postpone, shop, JSON.stringify([{ id: d, next: new Date(Date.now() + 3_600_000) }]))
  expect(await dueDeliveries(it.context.db, shop, 10)).toEqual([])
  const ends = await Promise.all([a, b, c, d].map((id) => findDelivery(it.context.db, shop, id)))
  expect(ends.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
    ['stored', 0],
    [null, 1],
    ['unchanged', 0],
    [null, 2],
  ])
})

test('what is old is deleted by the program before, whoever has stored it', async () => {
  await storedBefore(['a'])
  await storedNow(['b', 'c'])
  await sql`update shop_messages set received_at = now() - interval '31 days'
    where integration_id = ${shop} and delivery_id <> 'c'`.execute(it.context.db)
  const old = await ask<{ id: number }>(before.old, 30, 2000)
  await ask(
    before.delete,
    shop,
    old.map(({ id }) => id),
  )
  expect(await ask('select delivery_id from shop_messages')).toEqual([{ delivery_id: 'c' }])
})

test('they have five days; then the second era begins, and none of them starts any more', async () => {
  const pruned = async (daysAfterUpgrade: number) => {
    await sql`update migrations set applied_at = now() - make_interval(days => ${daysAfterUpgrade}::int)`.execute(
      it.context.db,
    )
    await pruneInbound.perform(it.context, {}, { attempt: 1, signal: new AbortController().signal })
    return await readEras(it.context.db)
  }
  const needed = () => ask(`select name, needs from migrations where needs = '0094'`)
  await storedBefore(['a'])
  expect(await pruned(4)).toMatchObject({ current: 1, eras: [1] })
  expect(await needed()).toEqual([])
  const { today, ...begun } = await pruned(6)
  expect(begun).toEqual({ current: today, begun: today, eras: [1, today] })
  expect(await needed()).toEqual([{ name: '0094_messages_by_era', needs: '0094' }])
  // One that did not end in time stores what it is sent, and twice what only the second era has: that comes to one when the first is dropped.
  expect(await storedBefore(['a', 'b'])).toEqual(['b'])
  expect(await storedNow(['a', 'b', 'c'])).toEqual(['c'])
  expect(await storedBefore(['c'])).toEqual(['c'])
  await sql`update shop_messages set received_at = now() - interval '31 days' where era = 1`.execute(it.context.db)
  expect(await pruned(40)).toMatchObject({ eras: [today] })
  const due = await dueDeliveries(it.context.db, shop, 10)
  expect(due.map(({ body }) => body.toString())).toEqual(['says a', 'says b', 'says c'])
})
