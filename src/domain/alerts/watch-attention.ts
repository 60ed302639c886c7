import { Type } from 'typebox'
import { chunks } from '../../lib/chunks.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { job } from '../../runtime/jobs/job.ts'
import { type AttentionKind, causeOf, type Found, ofIntegration } from '../attention/attention.ts'
import { troubledIntegrations } from '../attention/attention-store.ts'
import { accessTrouble, type Shop, stockTrouble, webhookTrouble, workTrouble } from '../attention/find-attention.ts'
import { meets, severityOf } from '../attention/rule.ts'
import { rulesOfApps } from '../attention/rule-store.ts'
import type { Context } from '../context.ts'
import { emitEvents } from '../events/event-store.ts'
import { attentionEvent } from './alert.ts'
import {
  alertsByIds,
  closeAlerts,
  type Opening,
  type OpenRow,
  openAlerts,
  openOfKinds,
  openOfShops,
  shopsWithOpen,
  updateAlerts,
  wordOf,
} from './alert-store.ts'
import {
  appsOfCompanies,
  appsWithWebhookTrouble,
  shopsOfApps,
  shopsWithStockTrouble,
  shopsWithWorkTrouble,
  troubledShops,
} from './candidates-store.ts'
import { tellMerchants } from './merchants/tell-merchants.ts'
import { collectFor } from './sending/collect-notifications.ts'

/** Shops that one statement is about, and that one transaction opens and closes something of. */
const batch = 2000

type FoundOfApp = Found & { appId: number }

const ofWork: readonly AttentionKind[] = [
  ...(['shop_unavailable', 'run_failed', 'messages_failed', 'messages_waiting', 'integration_error'] as const),
  ...(['messages_missing', 'orders_missing', 'not_compared', 'consent_ends', 'installation_unfinished'] as const),
]
const ofStock: readonly AttentionKind[] = ['records_quarantined', 'orders_due', 'acknowledgements_due']
const ofWebhooks: readonly AttentionKind[] = ['webhook_disabled', 'webhook_failing', 'deliveries_late']
const ofAccess: readonly AttentionKind[] = ['sign_in_failures', 'second_factor_removed', 'admin_added']

/**
 * Opens and closes alerts. It costs as much as there is trouble, however many shops there are: indexes say where to look, and
 * only there, and where something is open, the definition of what needs attention is asked.
 */
export const watchAttention = job({
  name: 'watch-attention',
  input: Type.Object({ part: Type.Union([Type.Literal('work'), Type.Literal('stock')]) }),
  oneAtATime: ({ part }) => `watch-attention:${part}`,
  retry: { attempts: 1 },
  maxRunSeconds: 300,
  run: async (context: Context, { part }, { signal }) => {
    if (part === 'stock') return await watchShops(context, { kinds: ofStock, signal })
    await watchWebhooks(context)
    await watchAccess(context)
    await watchShops(context, { kinds: ofWork, signal })
  },
})

async function watchShops(
  context: Context,
  { kinds, signal }: { kinds: readonly AttentionKind[]; signal: AbortSignal },
): Promise<void> {
  const { db, connectors } = context
  const isStock = kinds === ofStock
  const candidates = isStock
    ? await shopsWithStockTrouble(db)
    : [...(await shopsWithWorkTrouble(db)), ...(await troubledShops(db))]
  const open = await shopsWithOpen(db, kinds)
  // Whose platform waits for acknowledgements is looked at in any case: no index knows how long it does.
  const clocked = [...connectors].flatMap(([type, { acknowledgement }]) => (acknowledgement?.clock ? [type] : []))
  const wanted = [...new Set([...candidates, ...open])]
  const shops = await shopsOfApps(db, wanted, isStock ? clocked : [])
  const known = new Set(shops.map(({ id }) => id))
  // What was open of a shop that is gone, or of an app that is off, is over.
  const gone = open.filter((id) => !known.has(id)).map((id) => ({ id, type: '', appId: 0 }))
  for (const some of chunks([...shops, ...gone], batch)) {
    signal.throwIfAborted()
    const present = some.filter(({ appId }) => appId > 0)
    const found = isStock ? await stockTrouble(context, present) : await troubleOf(context, present)
    const appOf = new Map(present.map(({ id, appId }) => [id, appId]))
    const ofApps = found.flatMap((each) => {
      const appId = appOf.get(each.integrationId ?? 0)
      return appId === undefined ? [] : [{ ...each, appId }]
    })
    const before = await openOfShops(
      db,
      some.map(({ id }) => id),
      kinds,
    )
    await settle(context, before, ofApps)
  }
}

async function troubleOf(context: Context, shops: readonly Shop[]): Promise<Found[]> {
  if (shops.length === 0) return []
  const ids = shops.map(({ id }) => id)
  const integrations = await troubledIntegrations(context.db, { ids }, batch)
  const work = await workTrouble(context, shops, batch * 10)
  return [...integrations.flatMap(ofIntegration), ...work]
}

async function watchWebhooks(context: Context): Promise<void> {
  const before = await openOfKinds(context.db, ofWebhooks)
  const appIds = await appsWithWebhookTrouble(context.db)
  const { found } = await webhookTrouble(context.db, appIds)
  await settle(context, before, found)
}

async function watchAccess(context: Context): Promise<void> {
  const before = await openOfKinds(context.db, ofAccess)
  const found = await accessTrouble(context.db, 'all')
  const apps = await appsOfCompanies(context.db, [...new Set(found.map(({ companyId }) => companyId))])
  const ofCompany = Map.groupBy(apps, ({ company_id: companyId }) => companyId)
  const ofApps = found.flatMap(({ companyId, ...each }) =>
    (ofCompany.get(companyId) ?? []).map(({ id: appId }) => ({ ...each, appId })),
  )
  await settle(context, before, ofApps)
}

const keyOf = ({ appId, kind, cause }: { appId: number; kind: string; cause: string }) => `${appId} ${kind} ${cause}`

/** What was open and what is found now: the difference is opened and closed, told to webhooks and collected for channels. */
async function settle(context: Context, before: readonly OpenRow[], found: readonly FoundOfApp[]): Promise<void> {
  if (before.length === 0 && found.length === 0) return
  const now = new Date(await databaseTime(context.db))
  const rules = await rulesOfApps(context.db, [...new Set(found.map(({ appId }) => appId))])
  const counting = found
    .filter((each) => meets(rules(each.appId), each, now))
    .map((each): Opening => ({ ...each, severity: severityOf(rules(each.appId), each.kind) }))
  const open = new Map(before.map((row) => [keyOf({ ...row, appId: row.app_id }), row]))
  const fresh: Opening[] = []
  const changed: { id: number; count: number | null; severity: Opening['severity']; reason: string | null }[] = []
  for (const each of counting) {
    const key = keyOf({ ...each, cause: causeOf(each) })
    const row = open.get(key)
    if (!row) fresh.push(each)
    else {
      open.delete(key)
      const { count, severity } = each
      const reason = wordOf(each.reason)
      if (row.count !== count || row.severity !== severity || row.reason !== reason) {
        changed.push({ id: row.id, count, severity, reason })
      }
    }
  }
  const over = [...open.values()].map(({ id }) => id)
  if (fresh.length + changed.length + over.length === 0) return
  await context.transaction(async (trx) => {
    await updateAlerts(trx, changed)
    const opened = await alertsByIds(trx, await openAlerts(trx, fresh))
    const closed = await alertsByIds(trx, await closeAlerts(trx, over))
    await emitEvents(trx, [
      ...opened.map((alert) => attentionEvent('attention.opened', alert)),
      ...closed.map((alert) => attentionEvent('attention.closed', alert)),
    ])
    await collectFor(trx, { opened, closed, now })
    await tellMerchants(context, trx, opened)
  })
}
