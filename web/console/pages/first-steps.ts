import { api, asApp, ask, Refusal } from '../api.ts'

/** What the first steps find, and what each of them makes. */

export type Data = Awaited<ReturnType<typeof read>>

export async function read() {
  const nothingYet = {
    account: null,
    offersSandbox: false,
    integration: null,
    hasClient: false,
    orders: [],
    total: 0,
    caught: null,
  }
  const { data: apps } = await ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } }))
  const wanted = localStorage.getItem('entrepot.app')
  const app = apps.find(({ id }) => String(id) === wanted) ?? apps[0] ?? null
  if (!app) return { app: null, ...nothingYet }
  const client = asApp(String(app.id))
  const path = { appId: String(app.id) }
  const connected = { per_page: 1, sort: 'id', 'filter[status]': 'ACTIVE' } as never
  const [accounts, integrations, sandbox, clients, caught] = await Promise.all([
    ask(client.GET('/api/2.0/app/accounts', { params: { query: { per_page: 1 } } })),
    ask(client.GET('/api/2.0/app/integrations', { params: { query: connected } })),
    ask(
      api.GET('/api/2.0/user/apps/{appId}/services', {
        params: { path, query: { 'filter[type]': 'sandbox' } as never },
      }),
    ),
    ask(
      api.GET('/api/2.0/user/clients', { params: { query: { per_page: 1, 'filter[app_id]': path.appId } as never } }),
    ),
    readCaught(path.appId),
  ])
  const account = accounts.data[0] ?? null
  const integration = integrations.data[0] ?? null
  const found = { app, account, offersSandbox: sandbox.data.length > 0, hasClient: clients.data.length > 0, caught }
  if (!integration) return { ...nothingYet, ...found }
  const query = { integration_id: integration.id, per_page: 5, sort: '-id' } as never
  const orders = await ask(client.GET('/api/2.0/app/orders', { params: { query } }))
  const total = Number((orders.meta as { total?: number }).total ?? 0)
  return { ...found, integration, orders: orders.data, total }
}

/** Null while there is no receiver; who has no webhook has none, and is not asked for it again and again. */
async function readCaught(appId: string) {
  const params = { path: { appId }, query: { per_page: 1 } }
  const { meta } = await ask(api.GET('/api/2.0/user/apps/{appId}/webhooks', { params }))
  if (meta.total === 0) return null
  try {
    const { data } = await ask(api.GET('/api/2.0/user/apps/{appId}/webhooks/catcher', { params: { path: { appId } } }))
    return data.requests
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

/** An app that offers the sandbox, with an account to connect a shop to. */
export async function makeApp(name: string): Promise<number> {
  const { data: app } = await ask(api.POST('/api/2.0/user/apps', { body: { name } }))
  await prepare(app.id, { account: null, offersSandbox: false })
  return app.id
}

/** Whatever an app lacks that was made otherwise: nobody is left standing there. */
export async function prepare(appId: number, { account, offersSandbox }: Pick<Data, 'account' | 'offersSandbox'>) {
  if (!offersSandbox) await offerSandbox(appId)
  if (account) return
  const body = { remote_id: 'first-merchant', name: 'First merchant' }
  await ask(asApp(String(appId)).POST('/api/2.0/app/accounts', { body }))
}

async function offerSandbox(appId: number): Promise<void> {
  const { data: services } = await ask(api.GET('/api/1.0/services', { params: { query: { per_page: 100 } } }))
  const sandbox = services.find(({ type }) => type === 'sandbox')
  if (!sandbox) return
  const params = { path: { appId: String(appId) } }
  await ask(api.POST('/api/2.0/user/apps/{appId}/services', { params, body: { service_id: sandbox.id } }))
}

export async function makeClient(app: number): Promise<{ id: number; secret: string }> {
  const body = { name: 'First steps, client credentials', app_id: app, grant_types: ['client_credentials'] }
  const { data } = await ask(api.POST('/api/2.0/user/clients', { body }))
  return { id: data.id, secret: String(data.secret ?? '') }
}

/** A webhook to the built-in receiver, and a first message for it. */
export async function makeWebhook(app: number): Promise<void> {
  const params = { path: { appId: String(app) } }
  const { data: catcher } = await ask(api.POST('/api/2.0/user/apps/{appId}/webhooks/catcher', { params }))
  const body = { url: catcher.url, events: ['*'] as never, description: 'The built-in receiver' }
  const { data: webhook } = await ask(api.POST('/api/2.0/user/apps/{appId}/webhooks', { params, body }))
  const path = { appId: String(app), webhook: String(webhook.id) }
  await ask(api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/test', { params: { path }, body: {} }))
}
