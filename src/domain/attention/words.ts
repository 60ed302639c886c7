import type { AttentionKind } from './attention.ts'
import { consentDays, hoursBeforeShipping, uncomparedDays } from './attention-store.ts'

/** What somebody should look at, in words: the same in the console, in mail and in chats. */

const counted = (n: number | null, one: string, many = `${one}s`): string =>
  `${(n ?? 0).toLocaleString('en')} ${n === 1 ? one : many}`

/** Why an integration does not work, to whoever runs the app. */
const reasons: Readonly<Record<string, string>> = {
  credentials_rejected: 'The shop rejected our credentials. The merchant has to connect it again.',
  missing_rights: 'The shop does not grant all the rights that are needed.',
  authorization_denied: 'The merchant denied access at the platform.',
  awaiting_installation: 'The merchant began to connect the shop and did not finish.',
  awaiting_authorization: 'The merchant has not yet allowed access at the platform.',
  awaiting_credentials: 'The merchant has not yet entered the keys of the shop.',
}

export interface Said {
  kind: AttentionKind
  count: number | null
  reason: string | null
}

/** A word of ours as a sentence; a sentence as it is. */
const inWords = (reason: string): string =>
  /^[a-z_]+$/.test(reason) ? `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll('_', ' ')}.` : reason

export function sayAttention({ kind, count, reason }: Said): string {
  const because = reason === null ? '' : (reasons[reason] ?? inWords(reason))
  const waiting = counted(count, 'delivery is', 'deliveries are')
  switch (kind) {
    case 'integration_error':
      return because || 'The integration is in an error state.'
    case 'installation_unfinished':
      return because || 'The shop is not connected yet.'
    case 'webhook_disabled': {
      const why = reason === 'gone' ? 'its endpoint answered 410 Gone' : 'its endpoint failed for too long'
      return `Disabled because ${why}.${count ? ` ${waiting} held.` : ''}`
    }
    case 'webhook_failing':
      return `The endpoint does not accept deliveries. ${waiting} waiting.`
    case 'deliveries_late':
      return `${waiting} waiting for longer than usual.`
    case 'messages_waiting':
      return `${counted(count, 'message')} of the shop ${count === 1 ? 'waits' : 'wait'} to be processed for longer than usual.`
    case 'orders_due':
      return `${counted(count, 'order has', 'orders have')} to ship within ${hoursBeforeShipping} hours or ${count === 1 ? 'is' : 'are'} overdue.`
    case 'acknowledgements_due':
      return `${counted(count, 'order has', 'orders have')} to be acknowledged within the hour or ${count === 1 ? 'is' : 'are'} overdue.`
    case 'shop_unavailable':
      return 'The shop is unavailable. The run goes on as soon as it answers.'
    case 'run_failed': {
      const times = count !== null && count > 1 ? `${counted(count, 'run')} in a row failed` : 'A run failed'
      return `${times}: ${because || 'see its log.'}`
    }
    case 'messages_failed':
      return `${counted(count, 'message')} of the shop could not be processed.`
    case 'records_quarantined':
      return `${counted(count, 'record')} failed validation and ${count === 1 ? 'was' : 'were'} quarantined.`
    case 'messages_missing':
      return 'The shop’s webhooks do not arrive. It is read every few minutes instead.'
    case 'orders_missing':
      return `A comparison with the shop found ${counted(count, 'record')} missing here, and fetched ${count === 1 ? 'it' : 'them'}.`
    case 'not_compared':
      return `The copy has not been compared with the shop for more than ${uncomparedDays} days.`
    case 'consent_ends':
      return `The merchant’s consent ends within ${consentDays} days and has to be renewed.`
    case 'sign_in_failures':
      return `${counted(count, 'sign-in')} of one user failed within an hour.`
    case 'second_factor_removed':
      return 'A user’s second factor was removed.'
    case 'admin_added':
      return 'A user became owner or admin of the company.'
  }
}

/** What each kind is called, where there are many of it or none. */
export const kindNames: Readonly<Record<AttentionKind, string>> = {
  integration_error: 'Shops in error',
  webhook_disabled: 'Disabled webhooks',
  orders_due: 'Orders due to ship',
  acknowledgements_due: 'Orders due to be acknowledged',
  sign_in_failures: 'Failed sign-ins',
  second_factor_removed: 'Removed second factors',
  admin_added: 'New owners and admins',
  shop_unavailable: 'Unavailable shops',
  run_failed: 'Failed runs',
  webhook_failing: 'Failing webhooks',
  deliveries_late: 'Late webhook deliveries',
  messages_waiting: 'Late messages from shops',
  messages_failed: 'Failed messages from shops',
  records_quarantined: 'Quarantined records',
  messages_missing: 'Shops whose webhooks do not arrive',
  orders_missing: 'Records found missing by a comparison',
  not_compared: 'Shops not compared',
  consent_ends: 'Consents ending soon',
  installation_unfinished: 'Unfinished connections',
}
