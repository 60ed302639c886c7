import { Cron } from 'croner'
import type { Words } from './words/index.ts'

/** Schedules as people say them, and as cron says them. Whatever has no simpler name is `custom`. */
export type Plan =
  | { kind: 'minutes'; every: number }
  | { kind: 'hours'; every: number; minute: number }
  | { kind: 'days'; hour: number; minute: number }
  | { kind: 'weeks'; days: readonly number[]; hour: number; minute: number }
  | { kind: 'months'; day: number; hour: number; minute: number }
  | { kind: 'custom'; cron: string }

export const planKinds = ['minutes', 'hours', 'days', 'weeks', 'months', 'custom'] as const

export function cronOf(plan: Plan): string {
  switch (plan.kind) {
    case 'minutes':
      return `*/${plan.every} * * * *`
    case 'hours':
      return `${plan.minute} ${plan.every === 1 ? '*' : `*/${plan.every}`} * * *`
    case 'days':
      return `${plan.minute} ${plan.hour} * * *`
    case 'weeks':
      return `${plan.minute} ${plan.hour} * * ${[...plan.days].sort().join(',')}`
    case 'months':
      return `${plan.minute} ${plan.hour} ${plan.day} * *`
    case 'custom':
      return plan.cron
  }
}

const forms: readonly [RegExp, (part: (n: number) => number, text: readonly string[]) => Plan][] = [
  [/^\*\/(\d+) \* \* \* \*$/, (n) => ({ kind: 'minutes', every: n(1) })],
  [/^(\d+) \* \* \* \*$/, (n) => ({ kind: 'hours', every: 1, minute: n(1) })],
  [/^(\d+) \*\/(\d+) \* \* \*$/, (n) => ({ kind: 'hours', every: n(2), minute: n(1) })],
  [/^(\d+) (\d+) \* \* \*$/, (n) => ({ kind: 'days', hour: n(2), minute: n(1) })],
  [
    /^(\d+) (\d+) \* \* ([0-6](?:,[0-6])*)$/,
    (n, text) => ({ kind: 'weeks', days: (text[3] ?? '').split(',').map(Number), hour: n(2), minute: n(1) }),
  ],
  [/^(\d+) (\d+) (\d+) \* \*$/, (n) => ({ kind: 'months', day: n(3), hour: n(2), minute: n(1) })],
]

export function planOf(cron: string): Plan {
  const plain = cron.trim().replace(/\s+/g, ' ')
  for (const [form, read] of forms) {
    const match = form.exec(plain)
    if (match) return read((n) => Number(match[n]), match)
  }
  return { kind: 'custom', cron: plain }
}

/** The next times, or null if it is no cron expression of five fields. */
export function nextRuns(cron: string, timezone: string, count: number, after?: Date): Date[] | null {
  try {
    return new Cron(cron, { timezone, paused: true, mode: '5-part' }).nextRuns(count, after)
  } catch {
    return null
  }
}

export const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** Sunday is 0, as cron counts. */
export const weekday = (day: number, language: string, style: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 1, 1 + day)))

export function planInWords(plan: Plan, { schedules: { described } }: Words, language: string): string {
  switch (plan.kind) {
    case 'minutes':
      return described.minutes(plan.every)
    case 'hours':
      return described.hours(plan.every, String(plan.minute).padStart(2, '0'))
    case 'days':
      return described.days(clock(plan.hour, plan.minute))
    case 'weeks': {
      const names = [...plan.days].sort().map((day) => weekday(day, language, 'long'))
      return described.weeks(new Intl.ListFormat(language).format(names), clock(plan.hour, plan.minute))
    }
    case 'months':
      return described.months(plan.day, clock(plan.hour, plan.minute))
    case 'custom':
      return plan.cron
  }
}
