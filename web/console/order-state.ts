import { badge, type Tone } from '../parts/status.ts'

/** Orders' statuses in words. */
export const orderStatuses = [
  'UNPAID',
  'ON_HOLD',
  'PENDING',
  'ACKNOWLEDGED',
  'SHIPPED',
  'DELIVERED',
  'REFUNDED',
  'CANCELLED',
] as const

const tones: Readonly<Record<string, Tone>> = {
  UNPAID: 'neutral',
  ON_HOLD: 'critical',
  PENDING: 'notice',
  ACKNOWLEDGED: 'info',
  SHIPPED: 'positive',
  DELIVERED: 'positive',
  REFUNDED: 'neutral',
  CANCELLED: 'neutral',
}

/** “On hold” for ON_HOLD. */
export const inWords = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1).toLowerCase().replaceAll('_', ' ')

export const orderBadge = (status: string) => badge(tones[status] ?? 'neutral', inWords(status))
