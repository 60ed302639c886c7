import { randomUUID } from 'node:crypto'
import type { TestAnswer } from '../../support/server.ts'
import type { World } from '../../support/world.ts'

/** Operations through one version of the API, and how each version shows what became of the record. */

export type Call = (method: string, path: string, options: { token: string; body?: unknown }) => Promise<TestAnswer>
type Json = Record<string, unknown>

/** A record as one version shows it, or the status with which it says that there is none. */
export type Sight = Json | number

export interface Kind {
  name: string
  /** Ways to make one; each gives the id. */
  make: readonly ((n: number) => Promise<number>)[]
  /** Ways to change one. A refusal is an answer too: both versions must agree on what is left. */
  change: readonly ((id: number, n: number) => Promise<TestAnswer>)[]
  remove: readonly ((id: number) => Promise<TestAnswer>)[]
  /** How version 1.0 shows it, then how each way of version 2.0 does. */
  see: readonly ((id: number) => Promise<Sight>)[]
  /** The whole lists, oldest first, that must be equal. */
  lists: readonly (() => Promise<readonly Json[]>)[]
}

const dataOf = ({ status, text, json }: TestAnswer): Json => {
  if (status >= 300) throw new Error(`${status} ${text}`)
  return json['data'] as Json
}
const sightOf = ({ status, json }: TestAnswer): Sight => (status === 200 ? (json['data'] as Json) : status)
const idOf = (answer: TestAnswer) => Number(dataOf(answer)['id'])
/** Whatever the status says: gone is gone. */
const orGone = (record: Json | undefined): Sight => record ?? 404
const pick = (record: Sight, fields: readonly string[]): Sight =>
  typeof record === 'number' ? record : Object.fromEntries(fields.map((field) => [field, record[field]]))

export function kindsOf(call: Call, world: World): Kind[] {
  const { tenant, ids } = world
  const { appId } = tenant
  const as = (token: string) => ({
    get: (path: string) => call('GET', path, { token }),
    post: (path: string, body: unknown = {}) => call('POST', path, { token, body }),
    put: (path: string, body: unknown) => call('PUT', path, { token, body }),
    patch: (path: string, body: unknown) => call('PATCH', path, { token, body }),
    delete: (path: string) => call('DELETE', path, { token }),
  })
  const user = as(tenant.userToken)
  const app = as(tenant.appToken)
  const account = as(tenant.accountToken)
  const v1 = '/api/1.0'
  const ofUser = '/api/2.0/user'
  const ofApp = '/api/2.0/app'
  const ofAccount = '/api/2.0/webcomponent'

  async function all(get: (path: string) => Promise<TestAnswer>, path: string): Promise<Json[]> {
    const rows: Json[] = []
    for (let page = 1; ; page++) {
      const answer = await get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
      rows.push(...(dataOf(answer) as unknown as Json[]))
      if (page >= Number((answer.json['meta'] as { last_page: number }).last_page)) return rows
    }
  }

  const apps: Kind = {
    name: 'app',
    make: [
      async (n) => idOf(await user.post(`${v1}/apps`, { name: `App ${n}`, url: `https://${n}.example` })),
      async (n) => idOf(await user.post(`${ofUser}/apps`, { name: `App ${n}`, description: `The ${n}th` })),
    ],
    change: [
      (id, n) => user.put(`${v1}/apps/${id}`, { name: `Renamed ${n}`, active: n % 2 === 0 }),
      (id, n) =>
        user.put(`${ofUser}/apps/${id}`, {
          description: n % 3 ? `Changed ${n}` : null,
          return_urls: [`https://${n}.example/back`],
        }),
    ],
    remove: [(id) => user.delete(`${v1}/apps/${id}`), (id) => user.delete(`${ofUser}/apps/${id}`)],
    see: [
      async (id) => sightOf(await user.get(`${v1}/apps/${id}`)),
      async (id) => sightOf(await user.get(`${ofUser}/apps/${id}`)),
    ],
    lists: [() => all(user.get, `${v1}/apps`), () => all(user.get, `${ofUser}/apps`)],
  }

  const remoteIds = new Map<number, string>()
  const remembered = (answer: TestAnswer): number => {
    const { id, remote_id: remoteId } = dataOf(answer)
    remoteIds.set(Number(id), String(remoteId))
    return Number(id)
  }
  const accounts: Kind = {
    name: 'account',
    make: [
      async (n) =>
        remembered(await user.post(`${v1}/accounts`, { app_id: appId, remote_id: `merchant ${n}`, name: `M ${n}` })),
      async (n) =>
        remembered(await app.post(`${ofApp}/accounts`, { remote_id: `händler/${n}`, email: `${n}@example.com` })),
    ],
    change: [
      (id, n) => user.put(`${v1}/accounts/${id}`, { name: `Name ${n}`, active: n % 4 > 0 }),
      (id, n) => app.put(`${ofApp}/accounts/${id}`, { email: n % 3 ? `${n}@example.org` : null, settings: { n } }),
      // The name that the app gives it may change, and the old one then names nothing.
      async (id, n) => {
        const remoteId = `moved-${n}`
        const answer = await app.put(`${ofApp}/accounts/${id}`, { remote_id: remoteId })
        if (answer.status === 200) remoteIds.set(id, remoteId)
        return answer
      },
    ],
    remove: [(id) => user.delete(`${v1}/accounts/${id}`)],
    see: [
      async (id) => sightOf(await user.get(`${v1}/accounts/${id}`)),
      async (id) => sightOf(await app.get(`${ofApp}/accounts/${encodeURIComponent(remoteIds.get(id) ?? '')}`)),
    ],
    lists: [() => all(user.get, `${v1}/accounts?app_id=${appId}`), () => all(app.get, `${ofApp}/accounts`)],
  }

  const emails = new Map<number, string>()
  const users: Kind = {
    name: 'user',
    make: [
      async (n) => {
        const email = `user-${n}@example.com`
        const body = { name: `User ${n}`, email, password: randomUUID(), permissions: n % 2 ? ['read-order'] : [] }
        const id = idOf(await user.post(`${v1}/users`, body))
        emails.set(id, email)
        return id
      },
    ],
    change: [
      (id, n) => user.put(`${v1}/users/${id}`, { name: `Person ${n}`, active: n % 3 > 0 }),
      (id, n) => user.put(`${v1}/users/${id}`, { permissions: n % 2 ? ['read-user', 'read-client'] : [] }),
      (id, n) => user.put(`${v1}/users/${id}`, { roles: n % 2 ? ['viewer'] : [] }),
    ],
    remove: [(id) => user.delete(`${v1}/users/${id}`)],
    see: [
      async (id) => sightOf(await user.get(`${v1}/users/${id}`)),
      async (id) => orGone((await all(user.get, `${ofUser}/users?email=${emails.get(id)}`))[0]),
    ],
    lists: [() => all(user.get, `${v1}/users`), () => all(user.get, `${ofUser}/users`)],
  }

  /** What an app does not say for itself about a service that it offers. */
  const ofCatalogue = [
    'id',
    'type',
    'name',
    'description',
    'auth_type',
    'mutable',
    'capabilities',
    'credentials_schema',
  ]
  const services: Kind = {
    name: 'service',
    make: [
      async (n) => {
        const id = idOf(await user.post(`${v1}/services`, { type: `service-${n}`, name: `Service ${n}` }))
        dataOf(await user.post(`${ofUser}/apps/${appId}/services`, { service_id: id }))
        return id
      },
    ],
    change: [
      (id, n) => user.put(`${v1}/services/${id}`, { name: `Named ${n}`, description: n % 2 ? `Text ${n}` : null }),
      (id, n) => user.put(`${v1}/services/${id}`, { auth_type: n % 2 ? 'basic' : 'none', settings: { n } }),
    ],
    remove: [(id) => user.delete(`${v1}/services/${id}`)],
    see: [
      async (id) => pick(sightOf(await user.get(`${v1}/services/${id}`)), ofCatalogue),
      async (id) => pick(sightOf(await app.get(`${ofApp}/services/${id}`)), ofCatalogue),
      async (id) => {
        const offered = await all(user.get, `${ofUser}/apps/${appId}/services`)
        return pick(orGone(offered.find((each) => each['id'] === id)), ofCatalogue)
      },
    ],
    lists: [
      async () =>
        (await all(user.get, `${v1}/services`)).filter(isAttached).map((each) => pick(each, ofCatalogue) as Json),
      async () =>
        (await all(app.get, `${ofApp}/services`)).filter(isAttached).map((each) => pick(each, ofCatalogue) as Json),
    ],
  }

  const placed = { app_id: appId, account_id: tenant.accountId }
  const toCreate = (n: number) => ({ name: `Shop ${n}`, shop: `shop-${n}.example.com`, type: 'sandbox' })
  const toInstall = (n: number) => ({
    name: `Shop ${n}`,
    shop: `shop-${n}.example.com`,
    credentials: { api_key: 'key' },
  })
  const states = ['ACTIVE', 'INACTIVE', 'UNINSTALLED', 'PENDING']
  const integrations: Kind = {
    name: 'integration',
    make: [
      async (n) => idOf(await user.post(`${v1}/integrations`, { ...toCreate(n), ...placed })),
      async (n) => idOf(await app.post(`${ofApp}/integrations`, { ...toCreate(n), remote_id: tenant.remoteId })),
      async (n) => idOf(await user.post(`${v1}/sandbox/install`, { ...toInstall(n), ...placed })),
      async (n) => idOf(await app.post(`${ofApp}/sandbox/install`, { ...toInstall(n), account_id: tenant.accountId })),
      async (n) => idOf(await account.post(`${ofAccount}/service/sandbox/install`, toInstall(n))),
    ],
    change: [
      (id, n) => user.put(`${v1}/integrations/${id}`, { name: `Named ${n}`, active: n % 3 > 0 }),
      (id, n) => app.put(`${ofApp}/integrations/${id}`, { description: n % 2 ? `Text ${n}` : null }),
      (id, n) => account.put(`${ofAccount}/integrations/${id}`, { settings: { orders: n % 50 } }),
      (id, n) => app.patch(`${ofApp}/integrations/${id}/status`, { status: states[n % states.length] }),
      (id) => account.post(`${ofAccount}/integrations/${id}/install`, { credentials: { api_key: 'key' } }),
      (id) => account.post(`${ofAccount}/integrations/${id}/uninstall`),
    ],
    remove: [(id) => user.delete(`${v1}/integrations/${id}`), (id) => app.delete(`${ofApp}/integrations/${id}`)],
    see: [
      async (id) => sightOf(await user.get(`${v1}/integrations/${id}?include=schedules,service,account,app,logs`)),
      async (id) => sightOf(await app.get(`${ofApp}/integrations/${id}?include=schedules,service,account,app,logs`)),
      async (id) =>
        sightOf(await account.get(`${ofAccount}/integrations/${id}?include=schedules,service,account,app,logs`)),
      async (id) =>
        sightOf(
          await user.get(`${ofUser}/apps/${appId}/integrations/${id}?include=schedules,service,account,app,logs`),
        ),
    ],
    lists: [
      () => all(user.get, `${v1}/integrations?account_id=${tenant.accountId}`),
      () => all(app.get, `${ofApp}/integrations?account_id=${tenant.accountId}`),
      () => all(account.get, `${ofAccount}/integrations`),
    ],
  }

  const below = `${ofAccount}/integrations/${ids.integration}`
  const toPlan = (n: number) => ({
    name: n % 2 ? `Plan ${n}` : null,
    resource: 'sync_orders',
    cron: `${n % 60} * * * *`,
  })
  const schedulesNow = async () =>
    dataOf(await app.get(`${ofApp}/integrations/${ids.integration}?include=schedules`))['schedules'] as Json[]
  const schedules: Kind = {
    name: 'schedule',
    make: [
      async (n) => idOf(await user.post(`${v1}/schedules`, { ...toPlan(n), integration_id: ids.integration })),
      async (n) => idOf(await account.post(`${below}/schedule`, { ...toPlan(n), timezone: 'Asia/Tokyo' })),
      async (n) => {
        const body = { schedules: [{ ...toPlan(n), integration_id: ids.integration }] }
        const [made] = dataOf(await user.post(`${v1}/schedules-bulk`, body)) as unknown as Json[]
        return Number(made?.['id'])
      },
    ],
    change: [
      (id, n) => user.put(`${v1}/schedules/${id}`, { cron: `*/${1 + (n % 30)} * * * *`, active: n % 3 > 0 }),
      (id, n) => account.put(`${below}/schedule/${id}`, { timezone: 'Europe/Berlin', payload: { n } }),
      (id, n) => user.put(`${v1}/schedules-bulk`, { schedules: [{ id, name: `Bulk ${n}`, active: true }] }),
    ],
    remove: [(id) => user.delete(`${v1}/schedules/${id}`), (id) => account.delete(`${below}/schedule/${id}`)],
    see: [
      async (id) => sightOf(await user.get(`${v1}/schedules/${id}`)),
      async (id) => orGone((await schedulesNow()).find((each) => each['id'] === id)),
    ],
    lists: [() => all(user.get, `${v1}/schedules?integration_id=${ids.integration}`), schedulesNow],
  }

  return [apps, accounts, users, services, integrations, schedules]
}

const isAttached = (service: Json) => String(service['type']).startsWith('service-')
