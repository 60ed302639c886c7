import { rm } from 'node:fs/promises'
import type { Install } from '../../../src/simulator/platform.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { freePort, printed, runEntrepot, startEntrepot, stop } from '../../support/process.ts'
import { spreadOverDay } from './busy-day.ts'
import { anAgent } from './showcase-agent.ts'

/** The program as anybody starts it, with an example tenant and three shops in it: what pictures and measurements are taken of. */
export interface Showcase {
  origin: string
  email: string
  password: string
  app: number
  integration: number
  order: number
  webhook: number
  run: number
  /** One that a shop of the demo has sent. */
  message: { id: number; integration: number }
  /** What an agent asks a person with. */
  agentRequest: URLSearchParams
  close(): Promise<void>
}

interface Demo {
  user: { email: string; password: string }
  app: { id: number }
  account: { remote_id: string }
  integration: { id: number }
}

interface Message {
  id: number
  integration: { id: number }
}

interface Simulated {
  base_url: string
  install: Install
}

const shops = [
  { name: 'Atelier Nord', platform: 'shopify', orders: '420', seed: '11' },
  { name: 'Hopfen & Malz', platform: 'woocommerce', orders: '180', seed: '12' },
] as const

export async function openShowcase(): Promise<Showcase> {
  const dataDir = await makeDataFolder()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const simulators = shops.map(({ platform, orders, seed }) =>
    startEntrepot(['simulator', '--platform', platform, '--orders', orders, '--seed', seed, '--json'], { young: 16 }),
  )
  const simulated = await Promise.all(
    simulators.map(async (child) => JSON.parse(await printed(child, '}}')) as Simulated & { egress_route: string }),
  )
  const env = {
    LOG_LEVEL: 'error',
    PORT: String(port),
    PUBLIC_URL: origin,
    ENTREPOT_DATA_DIR: dataDir,
    EGRESS_ALLOW: '127.0.0.1',
    WEBHOOK_ALLOW: '127.0.0.1',
    NODE_ENV: 'development',
    EGRESS_ROUTE: simulated.flatMap(({ egress_route: route }) => (route === '' ? [] : [route])).join(','),
  }
  const server = startEntrepot(['start'], { env, young: 16 })
  await printed(server, origin)
  const { stdout, stderr } = await runEntrepot(['demo', '--json'], { env })
  if (!stdout) throw new Error(stderr)
  const demo = JSON.parse(stdout) as Demo
  const { email, password } = demo.user
  const ask = await session(origin, email, password)
  const app = { 'x-entrepot-app': String(demo.app.id) }
  const connected: { id: number; base_url: string }[] = []
  for (const [n, { base_url, install }] of simulated.entries()) {
    const { type, ...fields } = install
    const body = { ...fields, name: shops[n]?.name, remote_id: demo.account.remote_id }
    const { id } = await ask<{ id: number }>('POST', `/api/2.0/app/${type}/install`, body, app)
    connected.push({ id, base_url })
    await atRest(ask, app, id, 3)
  }
  // From here on somebody listens.
  const path = `/api/2.0/user/apps/${demo.app.id}/webhooks`
  const { url } = await ask<{ url: string }>('POST', `${path}/catcher`)
  const webhook = await ask<{ id: number }>('POST', path, { url, events: ['*'] })
  await ask('POST', `${path}/${webhook.id}/test`)
  for (let round = 1; round <= 12; round++) {
    for (const { id, base_url } of connected) {
      await changed(base_url, { orders: 4 })
      await ask('POST', `/api/2.0/app/integrations/${id}/action`, { resource: 'sync_orders' }, app)
      await atRest(ask, app, id, 3 + round)
    }
  }
  const pending = `${path}/${webhook.id}/deliveries?filter[state]=pending&per_page=1`
  const delivered = () => found(async () => ((await ask<unknown[]>('GET', pending)).length === 0 ? true : undefined))
  await delivered()
  await spreadOverDay(dataDir)

  /** Placed now, taken over from the shop, and sent by us. */
  async function anOrderThatIsSent(shop: { id: number; base_url: string } | undefined) {
    if (!shop) throw new Error('No shop is connected.')
    const act = (fields: object) => ask('POST', `/api/2.0/app/integrations/${shop.id}/action`, fields, app)
    const { new_orders } = await changed(shop.base_url, { new_orders: 1 })
    const list = `/api/2.0/app/orders?integration_id=${shop.id}&remote_id=${encodeURIComponent(new_orders[0] ?? '')}`
    await act({ resource: 'sync_orders' })
    const stored = await found(async () => (await ask<{ id: number }[]>('GET', list, undefined, app))[0])
    const parcel = { tracking_number: 'H1000123456789', carrier: 'Hermes' }
    await act({ resource: 'create_shipment', order_remote_id: new_orders[0], ...parcel })
    await act({ resource: 'sync_orders' })
    const path = `/api/2.0/app/orders/${stored.id}?integration_id=${shop.id}`
    await found(
      async () => (await ask<{ status: string }>('GET', path, undefined, app)).status === 'SHIPPED' || undefined,
    )
    await delivered()
    return { id: stored.id, integration: shop.id }
  }
  const order = await anOrderThatIsSent(connected[0])
  const runs = `/api/2.0/app/integrations/${order.integration}/runs?per_page=1&sort=id`
  const [run] = await ask<{ id: number }[]>('GET', runs, undefined, app)
  const messages = `/api/2.0/user/apps/${demo.app.id}/messages?per_page=1`
  const message = await found(async () => (await ask<Message[]>('GET', messages))[0])
  const agentRequest = await anAgent(ask, {
    ...{ origin, app: demo.app.id, order: order.id, integration: order.integration },
  })
  return {
    ...{ origin, email, password, app: demo.app.id, integration: order.integration },
    order: order.id,
    webhook: webhook.id,
    run: run?.id ?? 0,
    message: { id: message.id, integration: message.integration.id },
    agentRequest,
    async close() {
      for (const child of [server, ...simulators]) await stop(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** So much happens in a simulated shop. */
async function changed(baseUrl: string, what: object): Promise<{ new_orders: string[] }> {
  const answer = await fetch(`${baseUrl}/_shop/change`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as { new_orders: string[] }
}

/** Until so many runs are over. */
async function atRest(ask: Ask, app: Record<string, string>, integrationId: number, runs: number): Promise<void> {
  const path = `/api/2.0/app/integrations/${integrationId}/runs?per_page=100`
  await found(async () => {
    const all = await ask<{ status: string }[]>('GET', path, undefined, app)
    return all.length >= runs && all.every(({ status }) => status === 'completed') ? all : undefined
  })
}

/** What runs in the background takes a moment. */
async function found<Thing>(look: () => Promise<Thing | undefined>): Promise<Thing> {
  for (let tries = 0; tries < 600; tries++) {
    const thing = await look()
    if (thing) return thing
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The showcase does not come to rest.')
}

type Ask = Awaited<ReturnType<typeof session>>

/** The API, asked with a session of the console. */
async function session(origin: string, email: string, password: string) {
  const json = { 'content-type': 'application/json', 'x-entrepot-console': '1' }
  const signedIn = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return async <Data>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Data> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...json, ...more, cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Data }).data
  }
}
