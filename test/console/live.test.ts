import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveIntegration } from '../../src/domain/integrations/move-integration.ts'
import { liveLimits } from '../../src/domain/live/live-hub.ts'
import { sayNews } from '../../src/domain/news-store.ts'
import { data, installed, type Merchant, makeMerchant } from '../integrations/support.ts'
import { logIn, makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** What is happening in an app, told as it happens, over real sockets. */

let server: TestServer
let origin: string
let merchant: Merchant

beforeAll(async () => {
  server = await startTestServer({ works: true })
  origin = await server.listen()
  merchant = await makeMerchant(server)
})
afterAll(() => server.close())

interface Told {
  id: string
  type: string
  data: { id?: number; status?: string; integration?: { id: number } }
}

interface Stream {
  status: number
  told: Told[]
  text(): string
  /** Resolves when the other side has ended it. */
  ended: Promise<void>
  cut(): void
}

async function follow(headers: Record<string, string>, appId = merchant.appId): Promise<Stream> {
  const cutting = new AbortController()
  const answer = await fetch(`${origin}/api/2.0/user/apps/${appId}/live`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: cutting.signal,
  })
  const told: Told[] = []
  let all = ''
  const read = async () => {
    if (!answer.body) return
    let left = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body) {
      const text = decoder.decode(piece as Uint8Array, { stream: true })
      all += text
      const blocks = (left + text).split('\n\n')
      left = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const [id, type, json] = [field('id'), field('event'), field('data')]
        if (id !== undefined && type !== undefined && json !== undefined)
          told.push({ id, type, data: JSON.parse(json) })
      }
    }
  }
  const ended = read().catch(() => undefined)
  return { status: answer.status, told, text: () => all, ended, cut: () => cutting.abort() }
}

const asUser = () => ({ authorization: `Bearer ${merchant.userToken}` })

const has = (stream: Stream, fits: (told: Told) => boolean) => until(() => stream.told.find(fits))

test('orders that come in, runs and changes of shops are told without being asked for', async () => {
  const stream = await follow(asUser())
  expect(stream.status).toBe(200)
  await until(() => stream.text().includes('retry:'))
  const { id } = (await installed(merchant, { orders: 5 })) as { id: number }
  const isOurs = ({ data: { integration } }: Told) => integration?.id === id
  await has(stream, (told) => told.type === 'run' && isOurs(told) && told.data.status === 'completed')
  await has(stream, (told) => told.type === 'order' && isOurs(told))
  await moveIntegration(server.context, { id, status: 'INACTIVE' })
  await has(stream, (told) => told.type === 'shop' && isOurs(told) && told.data.status === 'INACTIVE')
  stream.cut()
})

test('what happens to an order that came long ago, and what is done about it, is told as its shop', async () => {
  const { id } = (await installed(merchant, { orders: 2 })) as { id: number }
  const list = async () =>
    (await merchant.asApp('GET', `/orders?integration_id=${id}&acknowledged=all`)).json['data'] as { id: number }[]
  await until(async () => (await list()).length === 2)
  await sql`update orders set created_at = now() - interval '30 days' where integration_id = ${id}`.execute(
    server.context.db,
  )
  const stream = await follow(asUser())
  await until(() => stream.text().includes('retry:'))
  const isOurs = (told: Told) => told.type === 'orders' && told.data.integration?.id === id
  const [order] = await list()
  await merchant.asApp('POST', `/orders/${order?.id}/acknowledge?integration_id=${id}`, {})
  await has(stream, isOurs)
  const heard = stream.told.filter(isOurs).length
  sayNews(server.context.db, 'steps', id)
  await until(() => stream.told.filter(isOurs).length > heard)
  stream.cut()
})

test('a stream that was cut goes on where it was', async () => {
  const first = await follow(asUser())
  const { id } = await has(first, ({ type }) => type === 'order')
  first.cut()
  await first.ended
  const { id: shop } = (await installed(merchant, { orders: 3 })) as { id: number }
  const isThere = async () =>
    (await merchant.asApp('GET', `/orders?integration_id=${shop}&acknowledged=all`)).json['data'] as unknown[]
  await until(async () => (await isThere()).length === 3)
  const second = await follow({ ...asUser(), 'last-event-id': id })
  await until(
    () => second.told.filter((told) => told.type === 'order' && told.data.integration?.id === shop).length === 3,
  )
  second.cut()
  // What lies far behind the last event is not told again.
  const { rows } = await server.context.reader.query<{ ms: string }>(
    'select extract(epoch from now()) * 1000 as ms',
    [],
  )
  const later = await follow({ ...asUser(), 'last-event-id': String(Math.round(Number(rows[0]?.ms)) + 120_000) })
  await until(() => later.text().includes('retry:'))
  expect(later.told.filter(({ type }) => type === 'order')).toEqual([])
  later.cut()
})

test('who asks plainly gets the latest, and an end', async () => {
  const answer = await merchant.asUser('GET', `/apps/${merchant.appId}/live`)
  const all = answer.json['data'] as Told[]
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['run', 'order']))
})

test('nobody watches an app of somebody else, and who may not read orders hears of none', async () => {
  const other = await makeMerchant(server)
  expect((await follow({ authorization: `Bearer ${other.userToken}` })).status).toBe(403)
  expect((await follow({})).status).toBe(401)
  const reader = await makeUser(server.context, {
    company_id: merchant.companyId,
    permissions: ['read-integration'],
  })
  const token = (await logIn(server.context, merchant.passwordClient, reader)).access_token
  const stream = await follow({ authorization: `Bearer ${token}` })
  await has(stream, ({ type }) => type === 'run')
  const { id } = (await installed(merchant, { orders: 2 })) as { id: number }
  await has(
    stream,
    (told) => told.type === 'run' && told.data.integration?.id === id && told.data.status === 'completed',
  )
  expect(stream.told.filter(({ type }) => type.startsWith('order'))).toEqual([])
  stream.cut()
})

test('it ends with the session, and when the right is taken away', async () => {
  const member = await makeUser(server.context, { company_id: merchant.companyId, permissions: ['read-integration'] })
  const opened = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-entrepot-console': '1' },
    body: JSON.stringify({ email: member.email, password }),
  })
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const session = { cookie, 'x-entrepot-console': '1' }
  const stream = await follow(session)
  expect(stream.status).toBe(200)
  await fetch(`${origin}/console/session`, { method: 'DELETE', headers: session })
  await stream.ended
  const token = (await logIn(server.context, merchant.passwordClient, member)).access_token
  const another = await follow({ authorization: `Bearer ${token}` })
  expect(another.status).toBe(200)
  const changed = await merchant.asUser('PUT', `/api/1.0/users/${member.id}`, { permissions: ['read-client'] })
  expect(changed.status).toBe(200)
  await another.ended
})

test('one person has so many streams at once and no more; those that are cut make room', async () => {
  const streams = await Promise.all(Array.from({ length: liveLimits.perUser }, () => follow(asUser())))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  expect((await follow(asUser())).status).toBe(429)
  for (const stream of streams) stream.cut()
  await until(async () => {
    const stream = await follow(asUser())
    stream.cut()
    return stream.status === 200
  })
  expect(data(await merchant.asUser('GET', `/apps/${merchant.appId}`))['id']).toBe(merchant.appId)
})
