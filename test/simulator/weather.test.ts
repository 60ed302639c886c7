import { afterEach, expect, test } from 'vitest'
import { isHostile } from '../../src/simulator/hostile.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { requestFaults } from '../../src/simulator/weather.ts'
import { openRaw } from './clients.ts'

const open: Simulator[] = []
const start = async (options: Parameters<typeof startSimulator>[0] = {}) => {
  const simulator = await startSimulator({ orders: 300, products: 20, seed: 'storm', ...options })
  open.push(simulator)
  return simulator
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()))
})

const ping = ({ baseUrl, credentials }: Simulator): Promise<Response> =>
  fetch(`${baseUrl}/orders?limit=1`, { headers: { 'x-api-key': credentials['api_key'] ?? '' } })

/** What a caller sees, in a word. */
async function outcome(asked: Promise<Response>): Promise<string> {
  try {
    const answer = await asked
    const retry = answer.headers.get('retry-after') === null ? '' : ' with Retry-After'
    const text = await answer.text()
    if (answer.status !== 200) return `${answer.status}${retry}`
    return text.startsWith('<') ? 'HTML' : 'fine'
  } catch (error) {
    return error instanceof Error && error.message === 'terminated' ? 'cut short' : 'no answer'
  }
}

test.each([
  ['throttled', '429 with Retry-After'],
  ['throttled_bare', '429'],
  ['error_500', '500'],
  ['error_502', '502'],
  ['error_503', '503'],
  ['timeout', 'no answer'],
  ['truncated_body', 'cut short'],
  ['html_200', 'HTML'],
  ['slow_body', 'fine'],
] as const)('%s is seen as: %s', async (fault, seen) => {
  const simulator = await start()
  simulator.weather({ [fault]: 1, hold_ms: 20, slow_ms: 100 })
  expect(await outcome(ping(simulator))).toBe(seen)
  expect(simulator.ledger().at(-1)).toMatchObject({
    kind: 'request',
    fault,
    status: fault === 'timeout' ? 0 : Number.parseInt(seen, 10) || 200,
  })
})

test('rough weather brings every fault, and the same ones for the same seed', async () => {
  const simulator = await start()
  const storm = async () => {
    const after = simulator.ledger().at(-1)?.seq ?? 0
    simulator.weather({ preset: 'rough', hold_ms: 1, slow_ms: 1, limit_scale: 1000, expired_token: 0.005 })
    for (let i = 0; i < 1500; i++) await outcome(ping(simulator))
    return simulator.ledger(after).flatMap((entry) => (entry.kind === 'request' ? [entry.fault] : []))
  }
  const first = await storm()
  expect(new Set(first.filter((fault) => fault !== null))).toEqual(
    new Set(requestFaults.filter((fault) => !isHostile(fault))),
  )
  expect(await storm()).toEqual(first)
})

test('a token that ends before its time is refused from then on', async () => {
  const { simulator, ask } = openRaw('shopify')
  const body = { query: '{ shop { id } }' }
  const asked = async () => (await ask('/admin/api/2026-10/graphql.json', { method: 'POST', body })).status
  expect(await asked()).toBe(200)
  simulator.weather({ expired_token: 1 })
  expect(await asked()).toBe(401)
  simulator.weather({ preset: 'calm' })
  expect(await asked()).toBe(401)
})

test('what was read moves to the end while a list is read by number, and something is skipped', async () => {
  const { simulator, ask } = openRaw('woocommerce', { orders: 300 })
  simulator.weather({ shift_while_paging: 1 })
  const read: string[] = []
  for (let page = 1; page <= 3; page++) {
    const { json } = await ask(`/wp-json/wc/v3/orders?orderby=modified&order=asc&per_page=100&page=${page}`)
    for (const { id } of json) read.push(String(id))
  }
  expect(read).toHaveLength(300)
  expect(new Set(read).size).toBeLessThan(300)
  expect(simulator.truth()).toHaveLength(300)
})

test('what was not read yet vanishes while everything is read, and what changed alone is safe', async () => {
  const { simulator, ask } = openRaw('sandbox', { orders: 500 })
  simulator.weather({ vanish_while_paging: 1 })
  const readAll = async (since = '') => {
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await ask(`/orders?limit=100&updated_since=${since}&cursor=${cursor}`)
      for (const { id } of json.items) read.push(id)
      cursor = json.next
    }
    return read.toSorted()
  }
  const read = await readAll()
  const truth = simulator.truth().map(({ remote_id }) => remote_id)
  expect(truth.length).toBeLessThan(500)
  expect(read).toEqual(truth.toSorted())
  await readAll('2025-02-01T00:00:00Z')
  expect(simulator.truth()).toHaveLength(truth.length)
})

test('a write whose answer is lost has happened, or not; the ledger knows', async () => {
  const { simulator, ask } = openRaw('sandbox', { orders: 300 })
  const ids = simulator.truth().filter(({ stage, acknowledged }) => stage === 'paid' && !acknowledged)
  simulator.weather({ error_503: 1 })
  for (const { remote_id } of ids) await ask('/orders/acknowledge', { method: 'POST', body: { orders: [remote_id] } })
  const effects = simulator.ledger().filter((entry) => entry.kind === 'effect')
  expect(effects.length).toBeGreaterThan(0)
  expect(effects.length).toBeLessThan(ids.length)
  const acknowledged = new Set(
    simulator
      .truth()
      .filter((order) => order.acknowledged)
      .map((order) => order.remote_id),
  )
  expect(ids.filter(({ remote_id }) => acknowledged.has(remote_id))).toHaveLength(effects.length)
})

test('weather is set from outside, and nonsense is refused', async () => {
  const { baseUrl } = await start()
  const set = (body: unknown) => fetch(`${baseUrl}/_weather`, { method: 'POST', body: JSON.stringify(body) })
  expect(await (await set({ preset: 'rough' })).json()).toMatchObject({ throttled: 0.02, lost_webhooks: 0.05 })
  expect(await (await set({ throttled: 0.5 })).json()).toMatchObject({ throttled: 0.5, lost_webhooks: 0.05 })
  expect(await (await set({ preset: 'calm' })).json()).toMatchObject({ throttled: 0, lost_webhooks: 0 })
  expect((await set({ hail: 1 })).status).toBe(400)
  expect((await set({ throttled: 2 })).status).toBe(400)
})
