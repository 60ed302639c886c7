import { nextRun } from '../../../lib/cron.ts'
import type { Severity } from '../../attention/attention.ts'
import { rankOf } from '../../attention/rule.ts'

export const channelTypes = ['email', 'slack', 'pagerduty'] as const
export type ChannelType = (typeof channelTypes)[number]

/** At once, or once a day. */
export const deliveries = ['immediate', 'daily'] as const

/** Where an app wants to hear of what needs attention. */
export interface Channel {
  id: number
  app_id: number
  type: ChannelType
  name: string
  /** What may be shown of its address. */
  hint: string
  /** Nothing below it is told. */
  severity: Severity
  active: boolean
  delivery: (typeof deliveries)[number]
  daily_at: string | null
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string
  confirmed_at: string | null
  last_sent_at: string | null
  failing_since: string | null
  last_error: string | null
  created_at: string
  updated_at: string
}

/** Where it leads. */
export interface Address {
  /** The mailbox, the address of the chat, or the key of the pager. */
  address: string
  /** Where events of a pager are posted, unless that is PagerDuty itself. */
  url: string | null
}

export const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue'

/** An address that is moved to another row does not open. */
export const addressPlace = (id: number) => `alert_channels.address:${id}`

export const wants = ({ severity }: Channel, alert: { severity: Severity }): boolean =>
  rankOf(alert.severity) <= rankOf(severity)

/** Causes that open within so many seconds go out as one message. */
export const groupSeconds = 10

/** When what comes up now is told: not in quiet hours, unless it is critical. */
export function dueAt(channel: Channel, now: Date, isCritical: boolean): Date {
  const { delivery, daily_at: daily, quiet_from: from, quiet_to: to, time_zone: timeZone } = channel
  if (delivery === 'daily') return nextAt(daily ?? '08:00', timeZone, now)
  const isQuiet = from !== null && to !== null && !isCritical && isBetween(clockIn(timeZone, now), from, to)
  return isQuiet ? nextAt(to, timeZone, now) : new Date(now.getTime() + groupSeconds * 1000)
}

/** Also over midnight. */
const isBetween = (time: string, from: string, to: string): boolean =>
  from <= to ? time >= from && time < to : time >= from || time < to

const clockIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)

function nextAt(time: string, timeZone: string, now: Date): Date {
  const [hour = '8', minute = '0'] = time.split(':')
  const next = nextRun(`${Number(minute)} ${Number(hour)} * * *`, timeZone, now)
  return next === null ? now : new Date(next)
}
