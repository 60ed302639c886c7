import { afterEach, describe, expect, test } from 'vitest'
import { isHostile } from '../../src/simulator/hostile.ts'
import { dialects } from '../../src/simulator/options.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { requestFaults } from '../../src/simulator/weather.ts'
import { type Client, clientOf, graphqlPath } from './clients.ts'

const open: Simulator[] = []
const start = async (options: Parameters<typeof startSimulator>[0]) => {
  const simulator = await startSimulator({ orders: 300, products: 20, seed: 'storm', ...options })
  open.push(simulator)
  return simulator
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()))
})

const small = '{ orders(first: 1, sortKey: UPDATED_AT) { nodes { id } } }'
const ping = ({ ask }: Client, { dialect }: Simulator): Promise<Response> => {
  if (dialect === 'shopify') return ask(graphqlPath, { method: 'POST', body: { query: small } })
  return ask(dialect === 'woo' ? '/wp-json/wc/v3/orders?per_page=1' : '/v1/orders?lastUpdatedAfter=2025-01-01&limit=1')
}

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

describe.each(dialects)('in %s', (dialect) => {
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
    const simulator = await start({ dialect })
    const client = clientOf(simulator)
    await ping(client, simulator)
    simulator.weather({ [fault]: 1, hold_ms: 20, slow_ms: 100 })
    expect(await outcome(ping(client, simulator))).toBe(seen)
    expect(simulator.ledger().at(-1)).toMatchObject({
      kind: 'request',
      fault,
      status: fault === 'timeout' ? 0 : Number.parseInt(seen, 10) || 200,
    })
  })

  test('rough weather brings every fault, and the same ones for the same seed', async () => {
    const simulator = await start({ dialect })
    const client = clientOf(simulator)
    await ping(client, simulator)
    const storm = async () => {
      const after = simulator.ledger().at(-1)?.seq ?? 0
      simulator.weather({ preset: 'rough', hold_ms: 1, slow_ms: 1, limit_scale: 1000, expired_token: 0.005 })
      for (let i = 0; i < 1500; i++) await outcome(ping(client, simulator))
      return simulator.ledger(after).flatMap((entry) => (entry.kind === 'request' ? [entry.fault] : []))
    }
    const first = await storm()
    expect(new Set(first.filter((fault) => fault !== null))).toEqual(
      new Set(requestFaults.filter((fault) => !isHostile(fault))),
    )
    expect(await storm()).toEqual(first)
  }, 60_000)
})

test('a token that ends before its time is refused from then on', async () => {
  const simulator = await start({ dialect: 'shopify' })
  simulator.weather({ expired_token: 1 })
  expect(await outcome(ping(clientOf(simulator), simulator))).toBe('401')
  simulator.weather({ preset: 'calm' })
  expect(await outcome(ping(clientOf(simulator), simulator))).toBe('401')
})

test('what was read moves to the end while a list is read by number, and something is skipped', async () => {
  const simulator = await start({ dialect: 'woo' })
  simulator.weather({ shift_while_paging: 1 })
  const read = await clientOf(simulator).orders()
  expect(read.length).toBeGreaterThanOrEqual(300)
  expect(new Set(read.map(({ id }) => id)).size).toBeLessThan(300)
  expect(simulator.truth()).toHaveLength(300)
})

test('what was not read yet vanishes while everything is read, and what changed alone is safe', async () => {
  const simulator = await start({ dialect: 'market', orders: 500 })
  simulator.weather({ vanish_while_paging: 1 })
  const read = await clientOf(simulator).orders()
  const truth = simulator.truth()
  expect(truth.length).toBeLessThan(500)
  expect(read.map(({ id }) => id).toSorted()).toEqual(truth.map(({ remote_id }) => remote_id).toSorted())
  await clientOf(simulator).orders('2025-02-01T00:00:00Z')
  expect(simulator.truth()).toHaveLength(truth.length)
})

test('a write whose answer is lost has happened, or not; the ledger knows', async () => {
  const simulator = await start({ dialect: 'market' })
  const { ask } = clientOf(simulator)
  await ask('/v1/seller')
  const ids = simulator.truth().filter(({ remote_status }) => remote_status === 'CREATED')
  simulator.weather({ error_503: 1 })
  for (const { remote_id } of ids) await ask(`/v1/orders/${remote_id}/acknowledge`, { method: 'POST' })
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
  const { baseUrl } = await start({ dialect: 'woo' })
  const set = (body: unknown) => fetch(`${baseUrl}/_weather`, { method: 'POST', body: JSON.stringify(body) })
  expect(await (await set({ preset: 'rough' })).json()).toMatchObject({ throttled: 0.02, lost_webhooks: 0.05 })
  expect(await (await set({ throttled: 0.5 })).json()).toMatchObject({ throttled: 0.5, lost_webhooks: 0.05 })
  expect(await (await set({ preset: 'calm' })).json()).toMatchObject({ throttled: 0, lost_webhooks: 0 })
  expect((await set({ hail: 1 })).status).toBe(400)
  expect((await set({ throttled: 2 })).status).toBe(400)
})
