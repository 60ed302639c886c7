import { type UserScope, userScopes } from '../domain/scopes.ts'
import type { Method } from '../runtime/http/endpoint.ts'

/** What the words of a path are about. The last one that is known here counts: `/apps/{appId}/webhooks` are webhooks. */
const resources: Readonly<Record<string, string>> = {
  accounts: 'account',
  'alert-channels': 'alert',
  'alert-letter': 'alert',
  'alert-rules': 'alert',
  alerts: 'alert',
  'agent-request': 'client',
  'agent-writes': 'client',
  agents: 'client',
  approvals: 'integration',
  apps: 'app',
  audit: 'audit',
  clients: 'client',
  companies: 'company',
  'export-products': 'product',
  device: 'session',
  flows: 'flow',
  install: 'integration',
  integrations: 'integration',
  inventory: 'inventory',
  invitations: 'invitation',
  'left-behind': 'client',
  logs: 'integration',
  messages: 'integration',
  orders: 'order',
  passkeys: 'user',
  password: 'user',
  products: 'product',
  resource: 'request',
  schedules: 'schedule',
  'schedules-bulk': 'schedule',
  'second-factor': 'user',
  services: 'service',
  'services-request': 'request',
  'services-sync': 'service',
  session: 'session',
  sessions: 'session',
  shipments: 'shipment',
  users: 'user',
  'v1-usage': 'usage',
  views: 'view',
  webhooks: 'webhook',
}

const verbs: Readonly<Record<Method, string>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/** What is asked by POST for its body's sake alone: it may name somebody. */
const readByPost: ReadonlySet<string> = new Set(['search'])

/**
 * The scope that opens a route to a token of a user: `user:<resource>-<verb>`. A POST below a record, such as
 * `/flows/{flowId}/run`, changes what is there and creates nothing of its own name.
 */
export function userScope({ method, path }: { method: Method; path: string }): UserScope {
  const words = path.split('/').filter((word) => word !== '')
  const at = words.findLastIndex((word) => resources[word] !== undefined)
  const resource = resources[words[at] ?? '']
  const onlyReads = readByPost.has(words.at(-1) ?? '')
  const verb = onlyReads ? 'read' : method === 'POST' && at < words.length - 1 ? 'update' : verbs[method]
  const scope = userScopes.find((known) => known === `user:${resource}-${verb}`)
  if (!scope) throw new Error(`No scope of users stands for ${method} ${path}.`)
  return scope
}
