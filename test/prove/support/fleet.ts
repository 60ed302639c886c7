import { once } from 'node:events'
import pg from 'pg'
import { printed, startEntrepot } from '../../support/process.ts'
import type { Settings } from '../../support/program.ts'
import { makeTenant, type TestTenant } from '../../support/server.ts'
import { type HttpClient, httpClient, type Reply } from './http.ts'
import { withContext } from './identities.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { settingsFor } from './settings.ts'
import { type ShopOptions, type ShopProcess, startShop } from './shop-process.ts'
import { until } from './until.ts'

export interface WorkerProcess {
  /** What its connections are called in the database. */
  name: string
  pid: number
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
  startShop(options: ShopOptions): Promise<ShopProcess>
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  makeMerchant(): Promise<Merchant>
}

export interface Merchant extends TestTenant {
  /** As the app, below /api/2.0/app. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, api?: ServerProcess): Promise<Reply>
  /** The new integration's id. */
  install(shop: ShopProcess, credentials?: object): Promise<number>
}

export async function withFleet<T>(
  databaseUrl: string,
  work: (fleet: Fleet) => Promise<T>,
  more: Settings = {},
): Promise<T> {
  const settings = settingsFor(databaseUrl, { EGRESS_ALLOW: '127.0.0.1', ENTREPOT_ROLE: 'api', ...more })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
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
    const api = await startServer(settings)
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
        const shop = await startShop(options)
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

async function startWorker(settings: Settings, name: string): Promise<WorkerProcess> {
  const url = new URL(settings['DATABASE_URL'] ?? '')
  url.searchParams.set('application_name', name)
  const child = startEntrepot(['worker', '--json'], { env: { ...settings, DATABASE_URL: url.href } })
  const exited = once(child, 'exit')
  await printed(child, '"role"')
  child.stdout?.resume()
  child.stderr?.resume()
  return {
    name,
    pid: child.pid ?? 0,
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

let shops = 0

async function makeMerchant(fleet: Fleet, settings: Settings): Promise<Merchant> {
  const tenant = await withContext(settings, (context) => makeTenant(context))
  const user = { token: tenant.userToken }
  const sandbox = data(await fleet.http.call(`${fleet.api.url}/api/1.0/services/sandbox`, user))
  const services = `${fleet.api.url}/api/2.0/user/apps/${tenant.appId}/services`
  data(await fleet.http.call(services, { method: 'POST', ...user, body: { service_id: sandbox['id'] } }))
  const merchant: Merchant = {
    ...tenant,
    call: (method, path, body, api = fleet.api) =>
      fleet.http.call(`${api.url}/api/2.0/app${path}`, { method, token: tenant.appToken, body }),
    async install(shop, credentials = shop.credentials) {
      const name = `proof-${++shops}.example.com`
      const fields = { name, shop: name, remote_id: tenant.remoteId, settings: { base_url: shop.baseUrl } }
      // 503 says that nothing was done and to come again, as a busy machine may.
      const answer = await until('the shop is installed', async () => {
        const reply = await merchant.call('POST', '/sandbox/install', { ...fields, credentials })
        return reply.status !== 503 && reply
      })
      return Number(data(answer)['id'])
    },
  }
  return merchant
}

export function data({ status, json }: Reply): Record<string, unknown> {
  if (status >= 300) throw new Error(`The server says ${status}: ${JSON.stringify(json).slice(0, 500)}`)
  return json['data'] as Record<string, unknown>
}
