import { readdir, readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWorkerThread, type WorkerThread } from '../src/compose/worker-thread/start-worker-thread.ts'
import { createLog } from '../src/runtime/log.ts'
import { installed, type Merchant, makeMerchant } from './integrations/support.ts'
import { startTestServer, type TestServer } from './support/server.ts'

/** What the API answers is the same, whoever reads the shop; a thread that ends takes nobody with it. */

let server: TestServer
let merchant: Merchant
const lines: { msg: string }[] = []
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const said = (msg: string) => lines.filter((line) => line.msg === msg).length

beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
})
afterAll(() => server.close())

afterEach(() => {
  delete server.context.inThread
})

/** One for all tests but those that end it: to start one takes a while. */
let thread: WorkerThread
beforeAll(() => {
  thread = begin()
})
afterAll(() => thread.close())

function begin({ stuckMs }: { stuckMs?: number } = {}): WorkerThread {
  const { databaseUrl, context } = server
  const keys = context.keys.map(({ id, key }) => `${id}:${key.toString('base64')}`)
  return startWorkerThread({
    databaseUrl: Promise.resolve(databaseUrl),
    settings: { DATABASE_URL: databaseUrl, ENTREPOT_MASTER_KEYS: keys.join(',') },
    works: false,
    demoShops: null,
    log,
    ...(stuckMs && { stuckMs }),
  })
}

const act = (id: unknown, body: object) => merchant.asApp('POST', `/integrations/${id}/action`, body)

describe('a shop that is read by the thread of the worker', () => {
  test('is read as it is in the main thread, with what was changed there', async () => {
    const { id } = await installed(merchant)
    const here = await act(id, { resource: 'get_inventory' })
    server.context.inThread = thread
    const there = await act(id, { resource: 'get_inventory' })
    expect([there.status, there.text]).toEqual([200, here.text])
    expect(there.headers['content-type']).toBe(here.headers['content-type'])
    const sku = Object(there.json['data'])[0].sku
    expect((await act(id, { resource: 'set_inventory', items: [{ sku, quantity: 4711 }] })).status).toBe(200)
    expect((await act(id, { resource: 'get_inventory' })).text).toContain('4711')
  })

  test('is refused in the same words', async () => {
    const { id } = await installed(merchant)
    const wrong = [
      { resource: 'get_order', remote_id: 'nobody' },
      { resource: 'get_orders', limit: 'many' },
      { resource: 'get_orders', order_status: ['ODD'] },
    ]
    const here = await Promise.all(wrong.map((body) => act(id, body)))
    server.context.inThread = thread
    const there = await Promise.all(wrong.map((body) => act(id, body)))
    expect(here.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(there.map(({ status, json }) => ({ status, errors: json['errors'] }))).toEqual(
      here.map(({ status, json }) => ({ status, errors: json['errors'] })),
    )
  })

  test('is asked there how long a sync of it will take', async () => {
    const { id } = await installed(merchant)
    const asked: unknown[] = []
    server.context.inThread = {
      ...thread,
      estimate: async (run) => {
        const seconds = await thread.estimate(run)
        asked.push(seconds)
        return seconds
      },
    }
    expect((await act(id, { resource: 'sync_orders', mode: 'full' })).status).toBe(200)
    expect(asked).toEqual([expect.any(Number)])
  })
})

describe('the thread of the worker', () => {
  test('lets requests have the processor first', async () => {
    await thread.figures()
    const tasks = await readdir('/proc/self/task')
    const stats = await Promise.all(
      tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => '')),
    )
    // Behind the name, which may hold anything: the seventeenth is how much it yields.
    const nice = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
    expect(nice.filter((each) => each === 5)).toHaveLength(1)
  })

  test('that is stuck is ended, and another one takes its place, until it is closed', async () => {
    // It gives a sign four times a second, so that it seems stuck all the time.
    const stuck = begin({ stuckMs: 40 })
    await expect(stuck.figures()).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    await expect.poll(() => said('the thread of the worker is stuck, ending it')).toBeGreaterThan(1)
    await stuck.close()
    const before = said('the thread of the worker ended, starting another')
    expect(before).toBeGreaterThan(0)
    await expect(stuck.figures()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(said('the thread of the worker ended, starting another')).toBe(before)
  })
})
