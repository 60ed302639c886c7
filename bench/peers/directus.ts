import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { drawLots } from '../../test/support/chance.ts'
import { freePort } from '../../test/support/process.ts'
import { folderOf } from './installed.ts'
import type { Json, Peer, Place, RunningPeer } from './peer.ts'
import { logIn, runToEnd, startServer } from './process.ts'

const lots = drawLots('peers: directus')

const shop = 1

export const directus: Peer = {
  name: 'Directus',
  folder: 'directus',
  packageName: 'directus',
  async start(place): Promise<RunningPeer> {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const admin = randomBytes(24).toString('hex')
    const env = await settings(place, port, admin)
    const cwd = folderOf(directus)
    const program = (command: string) => ({
      args: [join(cwd, 'node_modules/directus/cli.js'), command],
      ...{ cwd, env, log: logIn(place.folder, 'directus') },
    })
    await runToEnd(program('bootstrap'))
    return await startServer(program('start'), `${base}/server/ping`, () => prepare(base, callerOf(base, admin), place))
  },
}

async function prepare(base: string, call: Call, place: Place): Promise<RunningPeer['ways']> {
  const columns = columnsOf(place.order)
  await makeCollections(call, columns)
  const token = await makeReader(call)
  const flow = await makeFlow(call)
  const first = await fill(place, columns, call)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ours = `filter[integration_id][_eq]=${shop}`
  const body = JSON.stringify({ ...itemOf(place.order), integration_id: shop + 1 })
  return [
    {
      ...{ work: 'list', target: 10, headers },
      url: `${base}/items/orders?${ours}&sort=-id&limit=${place.perPage}&meta=filter_count`,
      holds: ({ data, meta }) => data.length === place.perPage && meta.filter_count === place.orders,
    },
    {
      ...{ work: 'read', url: `${base}/items/orders/${first}`, headers },
      next: () => ({ path: `/items/orders/${first + lots.below(place.orders)}` }),
      holds: ({ data }) => data.items.length > 0,
    },
    {
      ...{ work: 'create', url: `${base}/items/orders`, headers },
      next: () => ({ body }),
      holds: ({ data }) => data.id > 0,
    },
    {
      ...{ work: 'intake', by: 'a flow that stores what is posted, unsigned', headers },
      url: `${base}/flows/trigger/${flow}`,
      next: () => ({ body: JSON.stringify({ id: randomUUID(), order: place.order }) }),
      holds: (stored) => stored.length === 1,
    },
  ]
}

async function settings({ folder, databaseUrl }: Place, port: number, token: string) {
  const uploads = join(folder, 'uploads')
  const extensions = join(folder, 'extensions')
  await Promise.all([uploads, extensions].map((path) => mkdir(path)))
  return {
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
    ...{ KEY: randomUUID(), SECRET: randomBytes(32).toString('hex'), ADMIN_TOKEN: token },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: randomBytes(16).toString('hex') },
    ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: databaseUrl },
    ...{ STORAGE_LOCATIONS: 'local', STORAGE_LOCAL_ROOT: uploads, EXTENSIONS_PATH: extensions },
    ...{ LOG_LEVEL: 'warn', TELEMETRY: 'false', RATE_LIMITER_ENABLED: 'false' },
    // Under load it would rather refuse than answer.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
}

type Call = (method: string, path: string, body: Json) => Promise<Json>

const callerOf =
  (base: string, token: string): Call =>
  async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Directus, ${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text).data
  }

type Columns = Readonly<Record<string, string>>

/** A column for each field of our answer. */
const columnsOf = (order: Place['order']): Columns =>
  Object.fromEntries(
    Object.entries(order)
      .filter(([name]) => name !== 'id')
      .map(([name, value]) => [name, typeOf(name, value)]),
  )

function typeOf(name: string, value: unknown): string {
  if (name.endsWith('_id') && typeof value === 'number') return 'bigInteger'
  if (name.endsWith('_at') || name === 'ship_by') return 'timestamp'
  if (/total$/.test(name)) return 'decimal'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'object' && value !== null ? 'json' : 'string'
}

const itemOf = ({ id: _, ...order }: Place['order']): Json => order

async function makeCollections(call: Call, columns: Columns): Promise<void> {
  const id = {
    ...{ field: 'id', type: 'integer', meta: { hidden: true } },
    schema: { is_primary_key: true, has_auto_increment: true },
  }
  const field = ([name, type]: [string, string]) => ({
    ...{ field: name, type, meta: type === 'json' ? { special: ['cast-json'] } : {} },
    schema: type === 'decimal' ? { numeric_precision: 14, numeric_scale: 2 } : {},
  })
  const make = (collection: string, fields: Json[]) =>
    call('POST', '/collections', { collection, meta: {}, schema: {}, fields: [id, ...fields] })
  await make('orders', Object.entries(columns).map(field))
  await make('messages', [field(['body', 'json'])])
}

/** Somebody who may read and write orders and nothing else, as an integration would be set up. */
async function makeReader(call: Call): Promise<string> {
  const policy = (await call('POST', '/policies', { name: 'Orders', admin_access: false, app_access: false })).id
  const of = { policy, collection: 'orders', fields: ['*'], permissions: {}, validation: {} }
  for (const action of ['read', 'create']) await call('POST', '/permissions', { ...of, action })
  const role = (await call('POST', '/roles', { name: 'Integration', policies: [{ policy }] })).id
  const token = randomBytes(24).toString('hex')
  await call('POST', '/users', { email: 'integration@example.com', role, token, status: 'active' })
  return token
}

/** Stores the message before it answers. */
async function makeFlow(call: Call): Promise<string> {
  const options = { method: 'POST', async: false, return: '$last' }
  const flow = (await call('POST', '/flows', { name: 'Messages', trigger: 'webhook', status: 'active', options })).id
  const payload = { body: '{{$trigger.body}}' }
  const operation = await call('POST', '/operations', {
    ...{ flow, name: 'Store', key: 'store', type: 'item-create', position_x: 19, position_y: 1 },
    options: { collection: 'messages', permissions: '$full', payload },
  })
  await call('PATCH', `/flows/${flow}`, { operation: operation.id })
  return flow
}

/** One order by its own API, the others like it; and what a list is looked up by, as anybody would who has many. */
async function fill({ client, orders, order }: Place, columns: Columns, call: Call): Promise<number> {
  const { id } = await call('POST', '/items/orders', { ...itemOf(order), integration_id: shop })
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const differing: Record<string, string> = { number: `'#' || n`, remote_id: `'r' || n` }
  const values = Object.keys(columns).map((name) => differing[name] ?? `"${name}"`)
  await client.query(
    `insert into orders (${names}) select ${values} from orders, generate_series(1, $1::int) n where id = $2`,
    [orders - 1, id],
  )
  await client.query('create index on orders (integration_id, id)')
  await client.query('vacuum analyze')
  return Number(id)
}
