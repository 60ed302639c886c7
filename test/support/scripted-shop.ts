import { oauth2 } from '../../src/commerce/connector/auth.ts'
import type { Budget } from '../../src/commerce/connector/remote-rules.ts'
import { type Connector, connector } from '../../src/commerce/connector.ts'
import { credentialsRefused, refused, shopAway, type Transport } from '../../src/commerce/remote.ts'
import type { Context } from '../../src/domain/context.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { insertIntegration } from '../../src/domain/integrations/integration-store.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { maybe, object, text } from '../../src/lib/validation/fields.ts'
import { makeApp } from './identity.ts'

/**
 * A platform with tokens that end and refresh tokens that work once, answered by a transport: what every request met
 * stands in its books, and what it does next can be told to it.
 */
export interface ScriptedPlatform {
  connector: Connector
  transport: Transport
  /** Requests by shop and path, in order. */
  asked: { host: string; method: string; path: string; authorization: string | undefined }[]
  /** By host: how often new tokens were given. */
  refreshes: Map<string, number>
  /** Tokens that the shop takes, by host. */
  tokens: Map<string, { access: string; refresh: string }>
  /** Called before each answer; what it throws or answers comes instead. */
  before: (call: Parameters<Transport>[0]) => Promise<Awaited<ReturnType<Transport>> | undefined>
  /** Called after the effect and before the answer: what it throws hides the effect. */
  after: (call: Parameters<Transport>[0]) => Promise<void>
  lifeSeconds: number
  /** What new tokens are said to be good for; left out where nothing is said. */
  scope?: string
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({ status, headers, body })

export function scriptedPlatform(
  options: { type?: string; takesPrevious?: boolean; refreshTokenDays?: number; budget?: Budget } = {},
): ScriptedPlatform {
  const platform: ScriptedPlatform = {
    asked: [],
    refreshes: new Map(),
    tokens: new Map(),
    before: async () => undefined,
    after: async () => undefined,
    lifeSeconds: 3600,
    async transport(call) {
      const { host, pathname } = new URL(call.url)
      const { method, headers, body } = call.request
      platform.asked.push({ host, method, path: pathname, authorization: headers?.['authorization'] })
      const instead = await platform.before(call)
      if (instead) return instead
      const reply = respond(platform, { host, pathname, headers: headers ?? {}, body })
      await platform.after(call)
      return reply
    },
    connector: connector({
      type: options.type ?? 'scripted',
      name: 'Scripted',
      settings: object({}),
      remote: {
        origin: ({ shop }) => `https://${shop}`,
        authenticate: (request, { token }) => ({ ...request, headers: { authorization: `Bearer ${token}` } }),
        budgets: { default: options.budget ?? { capacity: 10_000, perSecond: 10_000 } },
        read: ({ headers }) => {
          const left = headers['x-left']
          return left === undefined ? {} : { budget: { name: 'default', remaining: Number(left) } }
        },
      },
      auth: oauth2({
        credentials: object({ token: text(), refresh_token: maybe(text()) }),
        client: object({ client_id: text() }),
        pkce: false,
        scopes: [],
        ...(options.takesPrevious && { takesPrevious: true }),
        ...(options.refreshTokenDays && { refreshTokenDays: options.refreshTokenDays }),
        authorizeUrl: ({ shop }) => `https://${shop}/authorize`,
        exchange: async () => ({ credentials: { token: 'first', refresh_token: 'r' }, expiresAt: null }),
        refresh: async ({ remote, credentials }) => {
          const body = { refresh_token: credentials.refresh_token }
          const reply = await remote.request({ method: 'POST', path: '/token', body })
          if (reply.status === 400) throw credentialsRefused([], 'invalid_grant')
          if (reply.status !== 200) throw shopAway()
          const { token = '', refresh_token = '', expires_at, scope } = reply.body as Record<string, string>
          const scopes = scope === undefined ? {} : { scopes: scope.split(' ') }
          return { credentials: { token, refresh_token }, expiresAt: expires_at ?? null, ...scopes }
        },
        checkAccess: async ({ remote }) => {
          if ((await remote.request({ method: 'GET', path: '/me' })).status !== 200) throw refused('No.')
        },
      }),
    }),
  }
  return platform
}

function respond(
  { refreshes, tokens, lifeSeconds, scope }: ScriptedPlatform,
  asked: { host: string; pathname: string; headers: Readonly<Record<string, string>>; body: unknown },
) {
  const { host } = asked
  const current = tokens.get(host)
  if (asked.pathname === '/token') {
    const { refresh_token: given } = asked.body as { refresh_token?: string }
    if (current && given !== current.refresh) return answer(400, { error: 'invalid_grant' })
    const n = (refreshes.get(host) ?? 0) + 1
    refreshes.set(host, n)
    tokens.set(host, { access: `access-${n}`, refresh: `refresh-${n}` })
    const expires_at = new Date(Date.now() + lifeSeconds * 1000).toISOString()
    return answer(200, { token: `access-${n}`, refresh_token: `refresh-${n}`, expires_at, scope })
  }
  if (current && asked.headers['authorization'] !== `Bearer ${current.access}`) return answer(401, {})
  return answer(200, { host })
}

/** Integrations with shops of that platform, connected, whose tokens end in so many seconds. */
export async function connectShops(
  context: Context,
  platform: ScriptedPlatform,
  { count, endsInSeconds }: { count: number; endsInSeconds: number | null },
): Promise<Integration[]> {
  const appId = await makeApp(context)
  const { type } = platform.connector
  const { id: serviceId } = await context.db
    .insertInto('services')
    .values({ type: `${type}-${appId}`, name: type, auth_type: 'oauth2' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await savePlatformClient(context.db, context.keys, { serviceId, appId: null }, { client_id: 'us' })
  const integrations: Integration[] = []
  for (let n = 0; n < count; n++) {
    const shop = `shop-${appId}-${n}.example.com`
    const owner = { app_id: appId, account_id: null, user_id: null, company_id: null, service_id: serviceId }
    const state = { status: 'ACTIVE', status_reason: null, settings: {} } as const
    const integration = await insertIntegration(context.db, { ...owner, ...state, type, name: shop, shop })
    platform.tokens.set(shop, { access: 'access-0', refresh: 'refresh-0' })
    const expiresAt = endsInSeconds === null ? null : new Date(Date.now() + endsInSeconds * 1000).toISOString()
    const credentials = { token: 'access-0', refresh_token: 'refresh-0' }
    await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt })
    // Given an hour ago: tokens that end at once would otherwise have had no life at all.
    await context.db
      .updateTable('credentials')
      .set({ updated_at: new Date(Date.now() - 3_600_000).toISOString() })
      .where('integration_id', '=', integration.id)
      .execute()
    integrations.push(integration)
  }
  return integrations
}
