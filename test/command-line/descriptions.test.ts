import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installed, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { type OwnShop, ownOrders, ownService, startOwnShop } from '../support/own-shop.ts'
import { runEntrepot } from '../support/process.ts'
import { startTestServer, type TestServer, testKeys } from '../support/server.ts'

/** Descriptions and translators on the command line, as whoever writes or updates them calls it. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrepot-descriptions-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('entrepot service try FILE', () => {
  let shop: OwnShop
  beforeAll(async () => {
    shop = await startOwnShop()
  })
  afterAll(() => shop.close())

  const tried = async (content: unknown, ...options: string[]) => {
    const file = join(folder, 'service.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    const env = { EGRESS_ALLOW: '127.0.0.1' }
    return await runEntrepot(['service', 'try', file, '--url', shop.url, ...options], { env })
  }
  const secrets = (name: string) => ({
    kind: 'secrets' as const,
    secrets: [{ name }],
    send: [{ in: 'header' as const, name: 'X-Key', value: `{${name}}` }],
  })

  test('goes through a whole description without a service, and says that it can be published', async () => {
    shop.door = ({ headers }) => (headers['x-key'] === 'sesame' ? undefined : { status: 401, body: {} })
    const definition = ownService(secrets('key2'))
    const { code, stdout } = await tried({ name: 'Own', definition }, '--key', 'key2=sesame')
    expect(stdout).toContain('All 4 records are understood.')
    expect(stdout).toContain('The description can be published.')
    expect(code).toBe(0)
    const wrong = await tried(definition, '--key', 'key2=simsim')
    expect(wrong.stdout).toContain('FAILED')
    expect(wrong.code).toBe(1)
    shop.door = () => undefined
  })

  test('names mistakes at their place, and ends with 1', async () => {
    const orders = { ...ownOrders, statuses: [{ theirs: 'ready', ours: 'nonsense' }] }
    const { code, stdout } = await tried({ ...ownService({ kind: 'none' }), orders }, '--json')
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ ok: false, mistakes: [{ at: 'definition.orders.statuses.0.ours' }] })
    expect(code).toBe(1)
  })

  test.each([
    ['{', 'is no JSON'],
    ['[]', 'holds no description'],
  ])('a file with %s is refused in words', async (content, words) => {
    const { code, stderr } = await tried(content)
    expect(stderr).toContain(words)
    expect(code).toBe(1)
  })
})

describe('entrepot compare TYPE', () => {
  let server: TestServer
  let merchant: Merchant
  beforeAll(async () => {
    server = await startTestServer({ works: true })
    merchant = await makeMerchant(server)
  })
  afterAll(() => server.close())

  test('says what this version makes of stored orders, and ends with 1 where that differs', async () => {
    const { id } = await installed(merchant, { orders: 20 })
    const stored = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`)).length
    await expect.poll(stored).toBe(20)
    const [{ id: name, key }] = testKeys
    const env = {
      ...{ DATABASE_URL: server.databaseUrl, ENTREPOT_MASTER_KEYS: `${name}:${key.toString('base64')}` },
      LOG_LEVEL: 'warn',
    }
    const compare = (...args: string[]) => runEntrepot(['compare', ...args], { env })
    const same = await compare('sandbox')
    expect(same.stdout).toContain('20 orders of 1 shops: 20 the same, 0 different')
    expect(same.code).toBe(0)
    const asked = await compare('sandbox', '--live')
    expect(asked.stdout).toContain('20 orders as shops send them now: 20 the same, 0 different')
    expect(asked.code).toBe(0)
    await sql`update orders set tax_total = tax_total + 1 where id = (select min(id) from orders)`.execute(
      server.context.db,
    )
    const other = await compare('sandbox', '--json')
    expect(JSON.parse(other.stdout)).toMatchObject({
      compared: 20,
      changed: 1,
      fields: [{ field: 'tax_total', count: 1 }],
    })
    expect(other.code).toBe(1)
    const unknown = await compare('nonsense')
    expect(unknown.stderr).toContain('There is no connector "nonsense"')
    expect(unknown.code).not.toBe(0)
  })
})
