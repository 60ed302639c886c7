import { type Endpoint, fullPath } from '../../src/runtime/http/endpoint.ts'
import type { TestTenant } from './server.ts'

const idNames = [
  'client',
  'user',
  'company',
  'app',
  'account',
  'service',
  'ownService',
  'integration',
  'schedule',
  'order',
  'product',
  'webhook',
  'appWebhook',
  'appDelivery',
  'listener',
  'flow',
  'run',
  'delivery',
  'invitation',
  'session',
  'passkey',
  'erasure',
  'domain',
  'alert',
  'alertChannel',
  'view',
  'article',
  'link',
  'agent',
  'approval',
] as const
/** A record that every world has one of. */
export type WorldId = (typeof idNames)[number]

/** What the query of an endpoint cannot do without, of what is known. */
export function neededOf({ query }: Endpoint, known: Readonly<Record<string, string | number>>): string {
  const names = (query as { required?: readonly string[] } | undefined)?.required ?? []
  return names
    .map((name) => {
      if (known[name] === undefined) throw new Error(`Nothing of the test world stands for ${name} in a query.`)
      return `${name}=${encodeURIComponent(known[name])}`
    })
    .join('&')
}

export function tokenOf({ group }: Endpoint, tenant: TestTenant): string | null {
  const tokens: Record<string, string> = {
    user: tenant.userToken,
    client: tenant.appToken,
    account: tenant.accountToken,
  }
  return group.caller === null ? null : (tokens[group.caller] ?? null)
}

/** Which record stands for which parameter. A parameter that is missing here fails the run: nothing is left untested. */
export function paramsOf(
  endpoint: Endpoint,
  ids: Readonly<Record<WorldId, number>>,
  words: { integrationKey: string; remoteId: string; canary: string; catcherToken: string; requestId: string },
): Record<string, string> {
  const path = fullPath(endpoint)
  const known: Record<string, string | number> = {
    id: ids.client,
    user: ids.user,
    invitation: ids.invitation,
    session: `console-${ids.session}`,
    passkey: ids.passkey,
    erasure: ids.erasure,
    domain: ids.domain,
    article: ids.article,
    variant: ids.link,
    agent: ids.agent,
    approval: ids.approval,
    company: ids.company,
    appId: ids.app,
    app: ids.app,
    serviceId: ids.service,
    // Version 1.0 changes services, and only one's own can be changed.
    service: path.startsWith('/api/1.0/') ? ids.ownService : ids.service,
    ownService: ids.ownService,
    version: 1,
    serviceType: 'sandbox',
    integrationId: ids.integration,
    integration: ids.integration,
    integrationKey: words.integrationKey,
    accountId: ids.account,
    account: path.startsWith('/api/1.0/') ? ids.account : words.remoteId,
    scheduleId: ids.schedule,
    schedule: ids.schedule,
    order: ids.order,
    product: ids.product,
    webhookId: ids.webhook,
    webhook: ids.appWebhook,
    listener: ids.listener,
    token: words.catcherToken,
    request: words.requestId,
    flow: ids.flow,
    flowId: ids.flow,
    run: ids.run,
    delivery: path.startsWith('/api/2.0/user/') ? ids.appDelivery : ids.delivery,
    resource: path.endsWith('/install') ? 'sandbox' : 'orders',
    channel: 'sandbox',
    alert: ids.alert,
    alertChannel: ids.alertChannel,
    view: ids.view,
    kind: 'run_failed',
    link: words.canary,
    registration: 'service',
    state: words.canary,
    account_id: ids.account,
    store: `${words.canary}.example.com`,
  }
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const value = known[name]
      if (value === undefined) throw new Error(`No record of the test world stands for {${name}} of ${path}.`)
      return [name, String(value)]
    }),
  )
}
