import type { Budget } from '../../commerce/connector/remote-rules.ts'
import type { Program } from '../../compose.ts'
import { cast, type DemoShop, merchants } from '../../demo/cast.ts'
import { demoCode, demoEmail, demoHost, demoShopHost } from '../../demo/demo-address.ts'
import type { DemoShops } from '../../demo/demo-shops.ts'
import { createAccount } from '../../domain/accounts/create-account.ts'
import { createApp } from '../../domain/apps/create-app.ts'
import { createCompany } from '../../domain/companies/create-company.ts'
import type { Context } from '../../domain/context.ts'
import { installIntegration } from '../../domain/install/install-integration.ts'
import { placeForAccount } from '../../domain/integrations/place-integration.ts'
import { createClient } from '../../domain/oauth/clients/create-client.ts'
import { createSchedule } from '../../domain/schedules/create-schedules.ts'
import { attachService } from '../../domain/services/attach-service.ts'
import { readService } from '../../domain/services/service-store.ts'
import { registerWebhooks } from '../../domain/shop-webhooks/register-webhooks.ts'
import { syncNow } from '../../domain/sync/sync-now.ts'
import { createUser } from '../../domain/users/create-user.ts'
import { operator } from '../../domain/users/user.ts'
import { catcherUrl, newCatcherToken } from '../../domain/webhooks/catcher.ts'
import { keepCatcher } from '../../domain/webhooks/catcher-store.ts'
import { createSubscription } from '../../domain/webhooks/create-subscription.ts'
import { randomSecret } from '../../lib/secret.ts'
import { shareStock } from './share-stock.ts'
import { callAsApp, letAgentAsk, setUpTeam } from './use-it.ts'

export interface DemoOptions {
  seed: string
  shops: DemoShops
  /** From now on the keys of the shop that breaks are refused. */
  takeKeysAway(): void
}

export type MadeDemo = Awaited<ReturnType<typeof makeDemo>>

/**
 * A small world: a tenant of its own with three merchants and their shops on five platforms, a month of orders, and somebody
 * who listens. One of the shops has just broken, and what listens is out of order for a moment. Two shops share their stock, an
 * agent waits for a person, and a colleague was asked in.
 */
export async function makeDemo(program: Program, { seed, shops, takeKeysAway }: DemoOptions) {
  const context = withoutLimits(program.context)
  // To the second, as the code says it: whoever reads the address opens the very same shop.
  const beganAt = new Date(Math.floor(Date.now() / 1000) * 1000)
  const place = { seed, beganAt, code: demoCode(beganAt, seed) }
  const { code } = place
  const password = randomSecret(20)
  const owner = { name: 'Demo', email: demoEmail('demo', code), password, roles: ['manager'] }
  // Shops are opened while the password is being hashed.
  const [user] = await Promise.all([
    createUser(context, operator, owner),
    ...cast.map((shop) => shops.open(shop, place)),
  ])
  const maker = { userId: user.id, companyId: null, admin: false }
  const company = await createCompany(context, maker, { name: `Demo company ${code}` })
  const tenant = { ...maker, companyId: company.id }
  const app = await createApp(context, tenant, {
    name: 'Demo order manager',
    description: `Made by "entrepot demo". Its shops are imitations; "entrepot demo --remove" removes all of it.`,
  })
  const [passwordClient, appClient] = await Promise.all([
    createClient(context, tenant, { name: 'Demo, password grant', grant_types: ['password', 'refresh_token'] }),
    createClient(context, tenant, { name: 'Demo, client credentials', app_id: app.id }),
  ])
  for (const { platform } of cast) {
    const { id } = await readService(context.db, platform)
    await attachService(context, tenant, { appId: app.id, attachment: { service_id: id } })
  }
  // One after the other: the first is the one that pages show first.
  const accounts = new Map<DemoShop['merchant'], Awaited<ReturnType<typeof createAccount>>>()
  for (const [key, name] of merchants) {
    const account = await createAccount(context, { appId: app.id }, { remote_id: `${key}-${code}`, name })
    accounts.set(key, account)
  }
  const accountOf = ({ merchant }: DemoShop) => {
    const account = accounts.get(merchant)
    if (!account) throw new Error(`There is no merchant "${merchant}".`)
    return account
  }

  async function connect(shop: DemoShop) {
    const { install } = await shops.open(shop, place)
    const service = await readService(context.db, shop.platform)
    const { integration, gatewayKey } = await installIntegration(
      withoutFirstSync(context),
      placeForAccount({ appId: app.id, accountId: accountOf(shop).id }),
      {
        service,
        input: {
          ...{ name: shop.name, shop: demoShopHost(shop, code), description: 'A shop of the demo: an imitation.' },
          ...{ settings: install.settings, credentials: install.credentials },
        },
      },
    )
    await syncNow(context, integration, 'sync_products', {}, 30)
    await syncNow(context, integration, 'sync_inventory', {}, 30)
    if (!shop.breaks) {
      await syncNow(context, integration, 'sync_orders', {}, 30)
      await createSchedule(context, integration, isShared(shop) ? everyNight : everyMinute)
    }
    return { shop, service, integration, gatewayKey }
  }
  const listener = { appId: app.id, integrationId: null, createdBy: user.id }
  const listenToOrders = () => {
    const erp = { url: `https://${demoHost('erp', code)}/hooks/orders`, events: ['order.*'] }
    return createSubscription(context, listener, { ...erp, description: 'Demo: an ERP that is sometimes down' })
  }
  const catchEverything = async () => {
    const { token } = await context.transaction((trx) => keepCatcher(trx, { appId: app.id }, newCatcherToken()))
    const url = catcherUrl(context, token)
    const caught = { url, events: ['*'], description: 'Demo: everything, caught here to look at' }
    await createSubscription(context, listener, caught)
  }

  const use = {
    ...{ code, appId: app.id, actor: { ...operator, userId: user.id, companyId: company.id } },
    client: { id: appClient.client.id, secret: appClient.secret ?? '' },
  }
  const connecting = cast.map((shop) => ({ shop, done: connect(shop) }))
  const [leading] = connecting
  if (!leading) throw new Error('The demo has no shops.')
  const brokenOnes = connecting.filter(({ shop }) => shop.breaks)
  const sharing = connecting.filter(({ shop }) => isShared(shop))
  const breakShops = async () => {
    await Promise.all(connecting.map(({ done }) => done))
    await listenToOrders()
    // Of one shop, orders come only when somebody listens: so there are deliveries to look at from the first moment.
    const broken = await Promise.all(brokenOnes.map(async ({ done }) => (await done).integration))
    for (const integration of broken) await syncNow(context, integration, 'sync_orders', {}, 30)
    // By HTTP to the service itself, which is busy enough: it begins with what breaks next.
    await catchEverything()
    takeKeysAway()
    // Keys that are refused are noticed by whoever asks next.
    for (const integration of broken) await syncNow(context, integration, 'sync_orders')
  }
  const share = async () => {
    const shared = await Promise.all(sharing.map(async ({ done }) => (await done).integration))
    await shareStock(context, { appId: app.id, accountId: accountOf(leading.shop).id }, shared)
  }
  const beUsed = async () => {
    const { integration } = await leading.done
    const mine = { ...use, integrationId: integration.id }
    await letAgentAsk(context, mine, await callAsApp(program, mine))
  }
  // Each as soon as what it needs is there.
  const [connected] = await Promise.all([
    Promise.all(connecting.map(({ done }) => done)),
    ...[breakShops(), share(), beUsed(), setUpTeam(context, use)],
  ])
  const first = await leading.done
  return {
    seed,
    user: { id: user.id, email: user.email, password },
    password_client: { id: passwordClient.client.id, secret: passwordClient.secret },
    app: { id: app.id },
    app_client: { id: appClient.client.id, secret: appClient.secret },
    account: { id: accountOf(first.shop).id, remote_id: accountOf(first.shop).remote_id },
    service: { id: first.service.id, type: first.service.type },
    integration: shown(first),
    integrations: connected.map((one) => ({
      ...shown(one),
      ...{ name: one.shop.name, type: one.service.type, account_id: one.integration.account_id },
    })),
  }
}

/** One stock for all shops of the first merchant that work. */
const isShared = ({ breaks, merchant }: DemoShop): boolean => !breaks && merchant === cast[0]?.merchant

/** Shops that share a stock are read every few seconds as it is. */
const everyNight = { name: 'Products, every night', resource: 'sync_products', cron: '30 2 * * *' } as const
const everyMinute = { name: 'Orders, every minute', resource: 'sync_orders', cron: '* * * * *' } as const

const shown = ({ integration, gatewayKey }: { integration: Shown; gatewayKey: string }) => ({
  ...{ id: integration.id, integrationKey: integration.integration_key, gateway_key: gatewayKey },
})
type Shown = Awaited<ReturnType<typeof installIntegration>>['integration']

/** A worker beside us would read the shop at the same time, and each would wait for the other. */
const withoutFirstSync = (context: Context): Context => ({
  ...context,
  record: async (trx, fact, about) => {
    if (fact !== 'integration.installed' || !('integrationId' in about)) return await context.record(trx, fact, about)
    await context.enqueue(trx, registerWebhooks, { integrationId: about.integrationId })
  },
})

/**
 * Imitations inside the process are asked as fast as they answer: what platforms allow in a second would be most of the wait. The
 * buckets are others than those of the service, which keeps to the limits from then on.
 */
function withoutLimits(context: Context): Context {
  const played = new Set<string>(cast.map(({ platform }) => platform))
  const connectors = [...context.connectors].map(([type, connector]) => {
    if (!played.has(type)) return [type, connector] as const
    const { remote } = connector
    const more = ({ capacity, perSecond, ...rest }: Budget): Budget => ({
      ...{ ...rest, capacity: capacity * plenty, perSecond: perSecond * plenty },
    })
    const { default: usual, ...others } = remote.budgets
    const budgets = {
      ...Object.fromEntries(Object.entries(others).map(([name, budget]) => [name, more(budget)])),
      default: more(usual),
    }
    return [type, { ...connector, remote: { ...remote, budgets } }] as const
  })
  return { ...context, connectors: new Map(connectors) }
}

const plenty = 1000
