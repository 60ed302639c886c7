import { resolveOperations } from './domain/actions/resolve-operations.ts'
import { pruneAlerts } from './domain/alerts/prune-alerts.ts'
import { dispatchAlerts, sendAlert } from './domain/alerts/sending/send-alerts.ts'
import { watchAttention } from './domain/alerts/watch-attention.ts'
import { sealAudit } from './domain/audit/seal-trail.ts'
import { shortenAudit } from './domain/audit/shorten-trail.ts'
import { pruneBudgets } from './domain/budgets/prune-budgets.ts'
import type { Context } from './domain/context.ts'
import { keepRetention } from './domain/customers/keep-retention.ts'
import { performErasure, resumeErasures } from './domain/customers/perform-erasure.ts'
import type { Facts } from './domain/fact.ts'
import { dispatchFlows } from './domain/flows/dispatch-flows.ts'
import { pruneFlowRuns } from './domain/flows/prune-flow-runs.ts'
import { forgetBuyers } from './domain/inbound/privacy/forget-buyers.ts'
import { pruneInbound } from './domain/inbound/prune-inbound.ts'
import { receiveQueued } from './domain/inbound/receive-queued.ts'
import { pruneInstalls } from './domain/install/prune-installs.ts'
import { announceConsents } from './domain/integrations/consent/announce-consents.ts'
import { keepLogMonths } from './domain/logs/keep-log-months.ts'
import { sendMail } from './domain/mail/send-mail.ts'
import { pruneTokens } from './domain/oauth/prune-tokens.ts'
import { mailResetLink } from './domain/oauth/reset/request-reset.ts'
import { pruneOperations } from './domain/operations/prune-operations.ts'
import { notifyDueAcknowledgements } from './domain/orders/acknowledgement/notify-due-acknowledgements.ts'
import { translateStored } from './domain/orders/translating/translate-stored.ts'
import { sampleQuotas } from './domain/quotas/sample-quotas.ts'
import { dispatchReads } from './domain/reads/dispatch-reads.ts'
import { keepRequestDays } from './domain/requests/keep-request-days.ts'
import { pruneRuns } from './domain/runs/prune-runs.ts'
import { turnsOfRuns } from './domain/runs/turn-store.ts'
import { dispatchDue } from './domain/schedules/dispatch-due.ts'
import { performStep } from './domain/schedules/perform-step.ts'
import { wakeSchedules } from './domain/schedules/wake-schedules.ts'
import { sealStoredRows } from './domain/sealing/seal-stored.ts'
import { recoverIntegrations } from './domain/shop/recover-integrations.ts'
import { touchCredentials } from './domain/shop/touch-credentials.ts'
import { registerWebhooks } from './domain/shop-webhooks/register-webhooks.ts'
import { adoptShops, repairWebhooks } from './domain/shop-webhooks/repair-webhooks.ts'
import { cancelOversold } from './domain/stock/cancel-oversold.ts'
import { leaveStock } from './domain/stock/leave-stock.ts'
import { pruneTold } from './domain/stock/telling/prune-told.ts'
import { completeOrders } from './domain/sync/outlines/complete-orders.ts'
import { performRun } from './domain/sync/perform-run.ts'
import { readReturns } from './domain/sync/returns/read-returns.ts'
import { queueComparisons } from './domain/sync/starting/queue-comparisons.ts'
import { startFirstSync } from './domain/sync/starting/start-first-sync.ts'
import { confirmUninstall } from './domain/uninstall/confirm-uninstall.ts'
import { eraseShop } from './domain/uninstall/erase-shop.ts'
import { purgeIntegrations } from './domain/uninstall/purge-integrations.ts'
import { cleanUpUninstalls } from './domain/uninstall/uninstall-cleanup.ts'
import { pruneDeliveries } from './domain/webhooks/prune-deliveries.ts'
import { type Enqueue, every, type Job } from './runtime/jobs/job.ts'

/** The whole asynchronous behaviour on one page: every job, and what starts it. */
export const jobs = [
  performRun,
  completeOrders,
  readReturns,
  startFirstSync,
  queueComparisons,
  notifyDueAcknowledgements,
  translateStored,
  sealStoredRows,
  sealAudit,
  shortenAudit,
  pruneTokens,
  sendMail,
  sampleQuotas,
  mailResetLink,
  pruneInstalls,
  confirmUninstall,
  eraseShop,
  performErasure,
  resumeErasures,
  keepRetention,
  pruneRuns,
  keepLogMonths,
  keepRequestDays,
  performStep,
  dispatchDue,
  wakeSchedules,
  dispatchReads,
  dispatchFlows,
  pruneFlowRuns,
  cleanUpUninstalls,
  purgeIntegrations,
  recoverIntegrations,
  touchCredentials,
  announceConsents,
  resolveOperations,
  pruneOperations,
  pruneBudgets,
  pruneDeliveries,
  registerWebhooks,
  repairWebhooks,
  adoptShops,
  pruneInbound,
  forgetBuyers,
  receiveQueued,
  watchAttention,
  dispatchAlerts,
  sendAlert,
  pruneAlerts,
  cancelOversold,
  leaveStock,
  pruneTold,
]

/** Started by the clock. */
export const recurring = [
  every('2 seconds', dispatchDue, {}),
  every('2 seconds', dispatchReads, {}),
  every('2 seconds', dispatchFlows, {}),
  every('2 seconds', cleanUpUninstalls, {}),
  every('47 * * * *', purgeIntegrations, {}),
  every('19 * * * *', resumeErasures, {}),
  every('7 4 * * *', pruneFlowRuns, {}),
  every('10 minutes', queueComparisons, {}),
  every('5 minutes', notifyDueAcknowledgements, {}),
  every('1 minute', translateStored, {}),
  every('1 minute', sealStoredRows, {}),
  every('1 minute', resolveOperations, {}),
  every('1 minute', recoverIntegrations, {}),
  every('10 minutes', touchCredentials, {}),
  every('37 * * * *', announceConsents, {}),
  every('2 seconds', sealAudit, {}),
  every('43 * * * *', shortenAudit, {}),
  every('17 * * * *', pruneTokens, {}),
  every('10 minutes', sampleQuotas, {}),
  every('*/5 * * * *', pruneInstalls, {}),
  every('3 * * * *', pruneRuns, {}),
  every('23 3 * * *', keepLogMonths, {}),
  every('51 * * * *', keepRequestDays, {}),
  every('53 2 * * *', pruneOperations, {}),
  every('57 * * * *', pruneBudgets, {}),
  every('27 * * * *', pruneDeliveries, {}),
  every('1 minute', repairWebhooks, {}),
  every('27 * * * *', adoptShops, {}),
  every('13 2 * * *', pruneInbound, {}),
  every('33 * * * *', forgetBuyers, {}),
  every('11 * * * *', keepRetention, {}),
  every('5 seconds', receiveQueued, {}),
  every('5 seconds', watchAttention, { part: 'work' }),
  every('1 minute', watchAttention, { part: 'stock' }),
  every('2 seconds', dispatchAlerts, {}),
  every('31 4 * * *', pruneAlerts, {}),
  every('41 3 * * *', pruneTold, {}),
]

/** Started by what has happened. */
const reactions: { readonly [Name in keyof Facts]: readonly Job<Facts[Name], Context>[] } = {
  'integration.installed': [startFirstSync, wakeSchedules, registerWebhooks],
  'integration.failed': [],
  'integration.recovered': [startFirstSync, registerWebhooks],
  'integration.purged': [leaveStock],
  'erasure.requested': [performErasure],
  'run.queued': [performRun],
}

export const recorder =
  (enqueue: Enqueue): Context['record'] =>
  async (trx, fact, about) => {
    // Runs wait for their tenant's turn, so that whoever queues many does not keep the others waiting.
    const options = 'runId' in about ? { turn: { take: turnsOfRuns, of: about.integrationId } } : {}
    for (const reaction of reactions[fact]) await enqueue(trx, reaction, about, options)
  }
