import { once } from 'node:events'
import pg from 'pg'
import { connectTo } from '../../../src/runtime/db/address/connect-to.ts'
import type { Install } from '../../../src/simulator/platform.ts'
import { platforms } from '../../../src/simulator/platforms/index.ts'
import { openShopOn } from '../../../src/simulator/simulator.ts'
import { open, press, setOff } from '../../support/browser.ts'
import { freePort, printed, startEntrepot } from '../../support/process.ts'
import type { Settings } from '../../support/program.ts'
import { makeTenant, type TestTenant } from '../../support/server.ts'
import { type HttpClient, httpClient, type Reply } from './http.ts'
import { withContext } from './identities.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { settingsFor } from './settings.ts'
import { type ShopOptions, type ShopProcess, startShop, usualSeed } from './shop-process.ts'
import { until } from './until.ts'

export interface WorkerProcess {
  /** What its connections are called in the database. */
  name: string
  pid: number
  /** Null while it runs. */
  exitCode(): number | null
  signal(signal: NodeJS.Signals): void
  /** In good order. */
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Servers, workers and simulated shops, all of them processes of their own on one database. */
export interface Fleet {
  http: HttpClient
  api: ServerProcess
  /** Another server, or one in the place of the first. */
  startApi(): Promise<ServerProcess>
  /** `nodeOptions` as in NODE_OPTIONS: for profiles. */
  startWorker(nodeOptions?: string): Promise<WorkerProcess>
  /** At most one of each platform whose hosts are the same for all shops. */
  startShop(options: ShopOptions): Promise<ShopProcess>
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  makeMerchant(): Promise<Merchant>
}

export interface Merchant extends TestTenant {
  /** As the app, below /api/2.0/app. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, api?: ServerProcess): Promise<Reply>
  /** The new integration's id, with keys as a merchant types them. The same shop may be installed several times. */
  install(shop: ShopProcess, credentials?: object): Promise<number>
  /**
   * The same through the browser: the merchant presses "Allow". Tokens of Shopify are renewed then, and it sends messages; a
   * token of the merchant's own app that has ended is the end.
   */
  installByBrowser(shop: ShopProcess): Promise<number>
}

export async function withFleet<T>(
  databaseUrl: string,
  work: (fleet: Fleet) => Promise<T>,
  more: Settings = {},
  /** Where the program of its servers is; this one by default. */
  root?: string,
): Promise<T> {
  const { ports, route } = await prepareRoutes()
  const settings = settingsFor(databaseUrl, {
    ...{ EGRESS_ALLOW: '127.0.0.1', WEBHOOK_ALLOW: '127.0.0.1' },
    ...{ NODE_ENV: 'development', EGRESS_ROUTE: route, ENTREPOT_ROLE: 'api' },
    ...more,
  })
  const pool = new pg.Pool({ ...connectTo(databaseUrl), max: 4 })
  pool.on('error', () => undefined)
  const http = httpClient(60)
  const endings: (() => void)[] = []
  let over = false
  // What is still starting when another start has failed ends as soon as it is there.
  const endLater = (end: () => void) => {
    if (over) end()
    else endings.push(end)
  }
  let workers = 0

  const startApi = async () => {
    const api = await startServer(settings, { root })
    endLater(() => api.signal('SIGKILL'))
    return api
  }
  const begin = async (): Promise<Fleet> => {
    const fleet: Fleet = {
      http,
      api: await startApi(),
      startApi,
      async startWorker(nodeOptions = '') {
        const worker = await startWorker({ ...settings, NODE_OPTIONS: nodeOptions }, `worker-${++workers}`)
        endLater(() => worker.signal('SIGKILL'))
        return worker
      },
      async startShop(options) {
        const shop = await startShop({ port: ports.get(options.platform) ?? 0, ...options })
        endLater(shop.kill)
        return shop
      },
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
      makeMerchant: () => makeMerchant(fleet, settings),
    }
    return fleet
  }
  try {
    return await work(await begin())
  } finally {
    over = true
    for (const end of endings) end()
    await http.close()
    await pool.end()
  }
}

async function startWorker(settings: Settings, given: string): Promise<WorkerProcess> {
  const name = `entrepot ${given}`
  const url = settings['DATABASE_URL'] ?? ''
  // Several servers in one address are none to `URL`.
  const named = `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`
  const child = startEntrepot(['worker', '--json'], { env: { ...settings, DATABASE_URL: named } })
  const exited = once(child, 'exit')
  await printed(child, '"role"')
  child.stdout?.resume()
  child.stderr?.resume()
  return {
    name,
    pid: child.pid ?? 0,
    exitCode: () => child.exitCode,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/**
 * Platforms with hosts of their own are led to a port that is chosen before anybody starts: whoever asks them reads its
 * settings once.
 */
async function prepareRoutes(): Promise<{ ports: Map<string, number>; route: string }> {
  const ports = new Map<string, number>()
  const routes: string[] = []
  for (const platform of Object.keys(platforms)) {
    const { hosts = [] } = openShopOn({ platform, orders: 0, products: 1, seed: usualSeed }).platform
    if (hosts.length === 0) continue
    const port = await freePort()
    ports.set(platform, port)
    routes.push(...hosts.map((host) => `${host}=http://127.0.0.1:${port}`))
  }
  return { ports, route: routes.join(',') }
}

let shops = 0

/** Another name for the same shop each time, of the form that the platform wants. */
function nameFor({ type, shop }: Install): string {
  const name = `proof-${++shops}`
  return ['sandbox', 'woocommerce', 'shopify'].includes(type) ? shop.replace(/^[^.]+/, name) : shop
}

async function makeMerchant(fleet: Fleet, settings: Settings): Promise<Merchant> {
  const tenant = await withContext(settings, (context) => makeTenant(context))
  const asUser = (path: string, method: 'GET' | 'POST' | 'PUT' = 'GET', body?: unknown) =>
    fleet.http.call(`${fleet.api.url}/api/${path}`, { method, token: tenant.userToken, body })
  const services = new Map<string, Promise<number>>()
  const offer = async (type: string): Promise<number> => {
    const id = Number(data(await asUser(`1.0/services/${type}`))['id'])
    data(await asUser(`2.0/user/apps/${tenant.appId}/services`, 'POST', { service_id: id }))
    return id
  }
  /** Once for each type, however many install at the same time. */
  const offered = (type: string): Promise<number> => {
    const known = services.get(type) ?? offer(type)
    services.set(type, known)
    return known
  }
  const begin = async ({ install }: ShopProcess, fields: object): Promise<Record<string, unknown>> => {
    const { type, settings: given } = install
    await offered(type)
    const name = nameFor(install)
    const body = { name, shop: name, remote_id: tenant.remoteId, settings: given, ...fields }
    // 503 says that nothing was done and to come again, as a busy machine may.
    const answer = await until('the shop is installed', async () => {
      const reply = await merchant.call('POST', `/${type}/install`, body)
      return reply.status !== 503 && reply
    })
    return data(answer)
  }
  const merchant: Merchant = {
    ...tenant,
    call: (method, path, body, api = fleet.api) =>
      fleet.http.call(`${api.url}/api/2.0/app${path}`, { method, token: tenant.appToken, body }),
    install: async (shop, credentials = shop.install.credentials ?? {}) =>
      Number((await begin(shop, { credentials }))['id']),
    async installByBrowser(shop) {
      const { type } = shop.install
      // Its orders lie further back than Shopify tells an app that has not asked for all of them.
      const client = { ...shop.install.client, ...(type === 'shopify' ? { all_orders: true } : {}) }
      const service = await offered(type)
      const path = `2.0/user/apps/${tenant.appId}/services/${service}`
      if (Object.keys(client).length > 0) data(await asUser(path, 'PUT', { client }))
      const { id, authorization_url: address } = await begin(shop, {})
      // Both ways lead over the public address, behind which this server is.
      const here = (url: string) => fleet.api.url + new URL(url).pathname + new URL(url).search
      const allowed = await press(await setOff(here(String(address))), 'allow')
      const arrived = await open(here(allowed.location ?? ''))
      if (arrived.status >= 400)
        throw new Error(`The way back ends with ${arrived.status}: ${arrived.text.slice(0, 300)}`)
      return Number(id)
    },
  }
  return merchant
}

export function data({ status, json }: Reply): Record<string, unknown> {
  if (status >= 300) throw new Error(`The server says ${status}: ${JSON.stringify(json).slice(0, 500)}`)
  return json['data'] as Record<string, unknown>
}
