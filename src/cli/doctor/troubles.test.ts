import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { shops, webhooks } from './troubles.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext('nobody')
})
afterAll(() => tested.close())

test('shops and endpoints that do not work are found, and only those', async () => {
  const { db } = tested.context
  expect(await shops(db)).toEqual({ level: 'ok', subject: 'shops', words: 'all connected ones answer' })
  expect(await webhooks(db)).toMatchObject({ level: 'ok' })

  await db.insertInto('services').values({ type: 'sandbox', name: 'Sandbox', auth_type: 'none' }).execute()
  await sql`
    insert into integrations (service_id, type, shop, name, status, messages, active, settings)
    select (select min(id) from services), 'sandbox', shop, shop, status, messages, active, '{}'
    from (values ('a.example', 'ERROR', 'none', true), ('b.example', 'ACTIVE', 'not_arriving', true),
      ('c.example', 'ACTIVE', 'not_arriving', true), ('off.example', 'ERROR', 'none', false),
      ('fine.example', 'ACTIVE', 'arriving', true)) as shop (shop, status, messages, active)`.execute(db)
  expect(await shops(db)).toEqual({
    level: 'warning',
    subject: 'shops',
    words:
      '1 shop rejects our credentials or lacks rights; the webhooks of 2 shops do not arrive, they are read every few minutes (the console’s home page shows which)',
  })

  await sql`
    insert into webhook_subscriptions (url, secret, key_id, disabled_at, failing_since, integration_id, events)
    select url, '', 'k', disabled_at, failing_since, (select min(id) from integrations), '{*}'
    from (values ('https://gone.example', now(), now()), ('https://slow.example', null, now()),
      ('https://fine.example', null, null)) as hook (url, disabled_at, failing_since)`.execute(db)
  expect((await webhooks(db)).words).toBe(
    '1 webhook is disabled and what it should get is held; 1 endpoint does not accept deliveries and is tried again (the console’s home page shows which)',
  )
})
