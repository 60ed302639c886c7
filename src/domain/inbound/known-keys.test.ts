import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { bindVault, vaultOf } from '../../runtime/db/vault/bind-vault.ts'
import { insertInbound } from './inbound-store.ts'
import { dueDeliveries } from './inbound-work-store.ts'

let it: TestContext
let shops: [TellingShop, TellingShop]
beforeAll(async () => {
  it = await createTestContext()
  shops = [await tellingShop(it.context), await tellingShop(it.context)]
})
afterAll(() => it.close())

const message = ({ integration }: TellingShop, body: string, id: string = randomUUID()) => ({
  ...{ integration_id: integration.id, delivery_id: id, topic: null, verified: true, kind: null, remote_id: null },
  ...{ headers: {}, query: {}, body: Buffer.from(body) },
})

/** What waits of a shop can be opened by a process that has read no key yet. */
async function waiting({ integration }: TellingShop): Promise<string[]> {
  vaultOf(it.context.reader).known.clear()
  return (await dueDeliveries(it.context.db, integration.id, 100)).map(({ body, lost }) => (lost ? 'lost' : `${body}`))
}

function countStatements(): { reader: Reader; texts: string[] } {
  const { reader } = it.context
  const texts: string[] = []
  const query: Reader['query'] = (text, values) => {
    texts.push(text)
    return reader.query(text, values)
  }
  const counting = { query }
  bindVault(vaultOf(reader), counting)
  return { reader: counting, texts }
}

test('messages of shops whose keys are known are stored by one statement, and repeated ones are not', async () => {
  const [one, other] = shops
  for (const shop of shops) await insertInbound(it.context.reader, [message(shop, 'first')])
  const { reader, texts } = countStatements()
  const both = [message(one, 'a', 'same'), message(other, 'b', 'same')]
  expect((await insertInbound(reader, both)).size).toBe(2)
  expect((await insertInbound(reader, [message(one, 'c')])).size).toBe(1)
  expect(texts).toHaveLength(2)
  expect([...(await insertInbound(reader, [message(one, 'd', 'new'), ...both]))]).toEqual([`${one.integration.id}/new`])
  expect([await waiting(one), await waiting(other)]).toEqual([
    ['first', 'a', 'c', 'd'],
    ['first', 'b'],
  ])
})

test('a key that was destroyed unheard seals nothing more, whoever else is in the batch', async () => {
  const [one, other] = shops
  for (const shop of shops) await insertInbound(it.context.reader, [message(shop, 'before')])
  await sql`delete from privacy_keys where integration_id = ${one.integration.id}`.execute(it.context.db)
  expect((await insertInbound(it.context.reader, [message(one, 'after'), message(other, 'beside')])).size).toBe(2)
  await sql`delete from privacy_keys where integration_id = ${one.integration.id}`.execute(it.context.db)
  expect((await insertInbound(it.context.reader, [message(one, 'alone')])).size).toBe(1)
  expect((await waiting(one)).slice(-3)).toEqual(['lost', 'lost', 'alone'])
  expect((await waiting(other)).at(-1)).toBe('beside')
})
