import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeAccount, makeApp } from '../../../test/support/identity.ts'
import { type RegisteredWebhook, registerEach, type WebhookTopic } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { refused, shopAway } from '../../commerce/remote.ts'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import type { Context } from '../context.ts'
import { saveCredentials } from '../integrations/credentials-store.ts'
import { giveIntegration, readIntegration } from '../integrations/integration-store.ts'
import { deleteIntegration, uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { keepWebhooks, registerWebhooks } from './register-webhooks.ts'
import { repairWebhooks } from './repair-webhooks.ts'
import { readShopWebhooks, takeDueShops } from './shop-webhooks-store.ts'

let tested: TestContext
let context: Context
let appId: number

/** What the shops hold, all of them together, and with which secret. */
const held: (RegisteredWebhook & { secret: string })[] = []
let refuses = false
let registering = async () => {}
let ownSecret: string | null = null
/** What the shops sign with, where they make that themselves. */
let theirSecret: string | null = null
/** What becomes of one topic before it is made. */
let making = (_topic: string): void => {}
let offered: Partial<Record<WebhookTopic, readonly string[]>> = {}
const usual = { 'order.created': ['made'], 'order.updated': ['changed'] }

beforeAll(async () => {
  tested = await createTestContext()
  appId = await makeApp(tested.context)
  const sandbox = tested.context.connectors.get('sandbox')
  if (!sandbox?.webhooks) throw new Error('There is no sandbox.')
  let made = 0
  const connector: Connector = {
    ...sandbox,
    webhooks: {
      ...sandbox.webhooks,
      get topics() {
        return offered
      },
      registration: {
        kind: 'api',
        ownSecret: () => ownSecret,
        list: async () => [...held],
        async register(_shop, wanted) {
          const { url, topics, secret } = wanted
          if (refuses) throw refused('The shop cannot reach this address.')
          await registering()
          if (theirSecret !== null && theirSecret !== secret) await wanted.keepSecret?.(theirSecret)
          return await registerEach(topics, wanted, async (topic) => {
            const there = held.find((one) => one.url === url && one.topic === topic)
            if (!there) making(topic)
            const one = there ?? { remoteId: `${++made}`, topic, url, secret, active: true }
            if (!there) held.push(one)
            one.active = true
            return one
          })
        },
        async remove(_shop, remoteId) {
          held.splice(0, held.length, ...held.filter((one) => one.remoteId !== remoteId))
        },
      },
    },
  }
  context = { ...tested.context, connectors: new Map([['sandbox', connector]]) }
})
afterAll(() => tested.close())

const connected = async (shop?: string) => {
  held.splice(0)
  offered = usual
  making = () => {}
  const { integration } = await makeIntegration(context, { appId }, { ...(shop && { shop }) })
  return integration
}
const known = (id: number) => readShopWebhooks(context.db, context.keys, id)
const shown = async (id: number) => (await readIntegration(context.db, id)).webhooks
const events = async (id: number) =>
  (
    await sql<{ event: string }>`select event from integration_logs where integration_id = ${id} order by id`.execute(
      context.db,
    )
  ).rows.map(({ event }) => event)

test('a shop that refuses is no failure: it is shown, logged once, and retried', async () => {
  const { id } = await connected()
  refuses = true
  for (const _ of [1, 2]) await keepWebhooks(context, id)
  expect(await shown(id)).toMatchObject({ registered_at: null, error: 'The shop cannot reach this address.' })
  expect(await readIntegration(context.db, id)).toMatchObject({ status: 'ACTIVE' })
  refuses = false
  await keepWebhooks(context, id)
  expect(await shown(id)).toMatchObject({ error: null, topics: ['order.created', 'order.updated'] })
  expect(await events(id)).toEqual(['webhooks.failed', 'webhooks.registered'])
})

test('a key that may not register webhooks is not a wrong key', async () => {
  const { id } = await connected()
  registering = () => Promise.reject(rightsMissing([{ name: 'write', where: 'REST API' }]))
  await keepWebhooks(context, id)
  registering = async () => {}
  expect(await readIntegration(context.db, id)).toMatchObject({ status: 'ACTIVE', status_reason: null })
  const error = 'The credentials lack rights in the shop: write. Grant them under REST API.'
  expect(await shown(id)).toMatchObject({ error })
})

test('a topic that the shop refuses keeps no other out; that we are removed is asked for first', async () => {
  const { id } = await connected()
  offered = { ...usual, 'inventory.updated': ['counted'], 'app.uninstalled': ['left'] }
  making = (topic) => {
    if (topic === 'order.updated') throw refused('The scope read_fulfillments is missing.')
  }
  await keepWebhooks(context, id)
  const there = held.map(({ remoteId, topic }) => [remoteId, topic])
  expect(there.map(([, topic]) => topic)).toEqual(['app.uninstalled', 'order.created', 'inventory.updated'])
  const error = 'The shop refuses order.updated: The scope read_fulfillments is missing.'
  expect(await shown(id)).toMatchObject({ registered_at: expect.any(String), error })
  expect((await readIntegration(context.db, id)).messages).toBe('late')
  await keepWebhooks(context, id)
  expect(held.map(({ remoteId, topic }) => [remoteId, topic])).toEqual(there)
  expect(await events(id)).toEqual(['webhooks.refused', 'webhooks.registered'])
  making = () => {}
  await keepWebhooks(context, id)
  expect(await shown(id)).toMatchObject({ error: null })
  expect(held.slice(0, 3).map(({ remoteId, topic }) => [remoteId, topic])).toEqual(there)
  expect(held).toHaveLength(4)
})

test('what has been made stays while the rest has to wait for the shop', async () => {
  const { id } = await connected()
  making = (topic) => {
    if (topic === 'order.updated') throw shopAway(30)
  }
  await keepWebhooks(context, id)
  const [first] = held
  making = () => {}
  await keepWebhooks(context, id)
  expect(held.map(({ topic }) => topic)).toEqual(['order.created', 'order.updated'])
  expect(held[0]?.remoteId).toBe(first?.remoteId)
})

test('what was left by somebody whose secret nobody knows is replaced', async () => {
  const { id, shop } = await connected()
  const url = `https://entrepot.test/api/1.0/webhook_callback/sandbox/0/${shop}`
  held.push({ remoteId: 'old', topic: 'order.created', url, secret: 'forgotten', active: true })
  const foreign = { remoteId: 'foreign', topic: 'order.created', url: 'https://elsewhere.test' }
  held.push({ ...foreign, secret: 'theirs', active: true })
  await keepWebhooks(context, id)
  const [secret] = (await known(id))?.secrets ?? []
  expect(held.filter((one) => one.url === url).map((one) => one.secret)).toEqual([secret, secret])
  expect(held.map(({ remoteId }) => remoteId)).toContain('foreign')
})

test('the secret of an app of the merchant’s own is kept in the place of ours', async () => {
  const { id } = await connected()
  ownSecret = 'of the app'
  for (const _ of [1, 2]) await keepWebhooks(context, id)
  ownSecret = null
  expect((await known(id))?.secrets).toEqual(['of the app'])
})

test('a secret that the shop makes itself is kept in the place of ours, and the one before is believed for a while', async () => {
  const { id } = await connected()
  const secrets = async () => (await known(id))?.secrets
  theirSecret = 'of the shop'
  await keepWebhooks(context, id)
  expect((await secrets())?.[0]).toBe('of the shop')
  await keepWebhooks(context, id)
  expect(await secrets()).toEqual(['of the shop'])
  theirSecret = 'renewed'
  await keepWebhooks(context, id)
  expect(await secrets()).toEqual(['renewed', 'of the shop'])
  // Renewed once more before the one before was forgotten: nothing of ours takes the place of theirs.
  theirSecret = 'once more'
  await keepWebhooks(context, id)
  expect((await secrets())?.slice(0, 2)).toEqual(['once more', 'renewed'])
  await keepWebhooks(context, id)
  theirSecret = null
  expect(await secrets()).toEqual(['once more'])
})

test('an old secret is replaced, and believed until the shop has been asked again', async () => {
  const { id } = await connected()
  await keepWebhooks(context, id)
  const [first] = (await known(id))?.secrets ?? []
  await sql`update shop_webhooks set secret_made_at = now() - interval '1 year' where integration_id = ${id}`.execute(
    context.db,
  )
  await keepWebhooks(context, id)
  const during = (await known(id))?.secrets ?? []
  expect([during.length, during[1]]).toEqual([2, first])
  expect(new Set(held.map(({ secret }) => secret))).toEqual(new Set([during[0]]))
  await keepWebhooks(context, id)
  expect((await known(id))?.secrets).toEqual(during.slice(0, 1))
})

test('who comes second to a shop has an address of its own', async () => {
  const first = await connected('shared.example.com')
  await keepWebhooks(context, first.id)
  const { integration: second } = await makeIntegration(context, { appId }, { shop: 'shared.example.com' })
  await keepWebhooks(context, second.id)
  await keepWebhooks(context, first.id)
  const url = 'https://entrepot.test/api/1.0/webhook_callback/sandbox/0/shared.example.com'
  expect(held.map((one) => one.url)).toEqual([
    url,
    url,
    `${url}?integration=${second.id}`,
    `${url}?integration=${second.id}`,
  ])
})

test('of two who register at the same moment the second waits: the shop signs with what we know', async () => {
  const { id } = await connected()
  await keepWebhooks(context, id)
  const isOld = () =>
    sql`update shop_webhooks set secret_made_at = now() - interval '1 year' where integration_id = ${id}`.execute(
      context.db,
    )
  await isOld()
  let second: string | undefined
  registering = async () => {
    registering = async () => {}
    await isOld()
    second = await keepWebhooks(context, id)
  }
  expect([await keepWebhooks(context, id), second]).toEqual(['done', 'busy'])
  const [secret] = (await known(id))?.secrets ?? []
  expect(new Set(held.map((one) => one.secret))).toEqual(new Set([secret]))
  expect(await keepWebhooks(context, id)).toBe('done')
})

test('who registers and finds somebody else at it comes again', async () => {
  const { id } = await connected()
  await keepWebhooks(context, id)
  const queued: unknown[] = []
  const enqueue: Context['enqueue'] = async (_trx, job, input, options) => {
    queued.push([job, input, options])
  }
  registering = async () => {
    registering = async () => {}
    const running = { signal: new AbortController().signal, attempt: 1 }
    await registerWebhooks.run({ ...context, enqueue }, { integrationId: id }, running)
  }
  await keepWebhooks(context, id)
  expect(queued).toEqual([[registerWebhooks, { integrationId: id }, { startAfterSeconds: 10 }]])
})

test('an integration that gets an account gets another address, soon', async () => {
  const { id, shop } = await connected()
  await keepWebhooks(context, id)
  expect(await takeDueShops(context.db, 100)).not.toContain(id)
  const accountId = await makeAccount(context, appId, 'merchant')
  await giveIntegration(context.db, id, { app_id: appId, account_id: accountId })
  await repairWebhooks.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
  const url = `https://entrepot.test/api/1.0/webhook_callback/sandbox/${accountId}/${shop}`
  expect(held.map((one) => one.url)).toEqual([url, url])
})

test('one that was switched off counts as missing, and is switched on', async () => {
  const { id } = await connected()
  await keepWebhooks(context, id)
  const [first] = held
  if (first) first.active = false
  await keepWebhooks(context, id)
  expect(held.map(({ active }) => active)).toEqual([true, true])
  expect(await events(id)).toEqual(['webhooks.registered', 'webhooks.repaired'])
})

test('who connects again beside somebody who has the plain address takes another, and leaves those there', async () => {
  const first = await connected('again.example.com')
  await keepWebhooks(context, first.id)
  await uninstallIntegration(context, first.id)
  held.splice(0)
  const { integration: second } = await makeIntegration(context, { appId }, { shop: 'again.example.com' })
  await keepWebhooks(context, second.id)
  const plain = held.map(({ remoteId }) => remoteId)
  await context.transaction((trx) =>
    saveCredentials(trx, context.keys, first, { credentials: { api_key: 'good' }, expiresAt: null }),
  )
  await sql`update integrations set status = 'ACTIVE' where id = ${first.id}`.execute(context.db)
  for (const id of [first.id, second.id, first.id]) await keepWebhooks(context, id)
  expect(held.slice(0, 2).map(({ remoteId }) => remoteId)).toEqual(plain)
  expect(held.slice(2).every(({ url }) => url.endsWith(`?integration=${first.id}`))).toBe(true)
  expect(held).toHaveLength(4)
})

test('an integration that is deleted in the middle of it leaves nothing behind', async () => {
  const { id } = await connected()
  registering = () => deleteIntegration(context, id)
  await keepWebhooks(context, id)
  registering = async () => {}
  expect(held).toEqual([])
})
