import type { AttentionKind, Severity } from '../../attention/attention.ts'
import { rankOf } from '../../attention/rule.ts'
import { kindNames, sayAttention } from '../../attention/words.ts'
import { asName, type Letter } from '../../mail/letter.ts'
import { type Alert, sentenceOf, subjectOf } from '../alert.ts'

/** What a channel is told at once: everything that came up and was over within a while. */
export interface Group {
  /** The same in every try. */
  key: string
  app: { id: number; name: string }
  opened: readonly Alert[]
  closed: readonly Alert[]
  /** Where all of it is shown. */
  url: string
  muteUrl: string
}

/** So many are named; of the rest it is said how many they are. */
const maxNamed = 20

const plural = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** All of it in a line. */
export function headlineOf({ app, opened, closed }: Group): string {
  const [only] = opened
  const told = `[${asName(app.name)}]`
  if (only && opened.length === 1) return `${told} ${asName(subjectOf(only))}: ${sayAttention(only)}`
  if (opened.length > 1) {
    const critical = opened.filter(({ severity }) => severity === 'critical').length
    return `${told} ${plural(opened.length, 'alert')}${critical > 0 ? `, ${critical.toLocaleString('en')} critical` : ''}`
  }
  const [over] = closed
  return over && closed.length === 1
    ? `${told} Resolved: ${asName(subjectOf(over))}, ${lowerFirst(kindNames[over.kind])}`
    : `${told} ${plural(closed.length, 'alert')} resolved`
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

interface Listed {
  lines: string[]
  rest: string | null
}

/** The worst ones by name, and how many more there are of which kind. */
function listed(alerts: readonly Alert[], line: (alert: Alert) => string): Listed {
  const sorted = alerts.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  const more = sorted.slice(maxNamed)
  const counts = new Map<AttentionKind, number>()
  for (const { kind } of more) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const kinds = [...counts].map(([kind, n]) => `${lowerFirst(kindNames[kind])} (${n.toLocaleString('en')})`)
  return {
    lines: sorted.slice(0, maxNamed).map(line),
    rest: more.length === 0 ? null : `And ${plural(more.length, 'more', 'more')}: ${kinds.join(', ')}.`,
  }
}

const overLine = (alert: Alert) => `${subjectOf(alert)}: ${lowerFirst(kindNames[alert.kind])}`

export function letterOf(group: Group, { to, stopUrl }: { to: string; stopUrl: string }): Letter {
  const opened = listed(group.opened, (alert) => `${markOf(alert.severity)}${sentenceOf(alert)}`)
  const closed = listed(group.closed, overLine)
  return {
    to,
    subject: headlineOf(group),
    paragraphs: [
      ...opened.lines,
      ...(opened.rest === null ? [] : [opened.rest]),
      ...(closed.lines.length > 0 ? [`Resolved (${group.closed.length.toLocaleString('en')}):`] : []),
      ...closed.lines,
      ...(closed.rest === null ? [] : [closed.rest]),
    ],
    link: { label: 'Open the alerts', url: group.url },
    small: [
      ...(group.opened.length > 0 ? [`Mute these for a day: ${group.muteUrl}`] : []),
      `No more letters to this address: ${stopUrl}`,
    ],
  }
}

const markOf = (severity: Severity): string => (severity === 'critical' ? 'Critical: ' : '')

/** As Slack takes it, and those who took its form over: `&`, `<` and `>` are signs of theirs. */
export function chatOf(group: Group): { text: string } {
  const opened = listed(
    group.opened,
    (alert) => `${iconOf[alert.severity]} *${chatText(subjectOf(alert))}* ${chatText(sayAttention(alert))}`,
  )
  const closed = listed(group.closed, (alert) => `:white_check_mark: ${chatText(overLine(alert))}`)
  const links = [
    `<${group.url}|Open the alerts>`,
    ...(group.opened.length > 0 ? [`<${group.muteUrl}|Mute these for a day>`] : []),
  ]
  const lines = [
    `*${chatText(headlineOf(group))}*`,
    ...(group.opened.length > 1 ? [...opened.lines, ...(opened.rest ? [chatText(opened.rest)] : [])] : []),
    ...closed.lines,
    ...(closed.rest ? [chatText(closed.rest)] : []),
    links.join('  ·  '),
  ]
  return { text: lines.join('\n') }
}

const iconOf: Readonly<Record<Severity, string>> = {
  critical: ':red_circle:',
  warning: ':large_orange_circle:',
  info: ':large_blue_circle:',
}

const chatText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\r\n]+/g, ' ')

/** The name by which a pager knows one group again. */
export const dedupKey = (key: string): string => `entrepot-${key}`

const maxSummary = 1024

/** Events of version 2 as PagerDuty takes them: one alert for the group, which ends when all of it is over. */
export function triggerOf(group: Group, { routingKey, host }: { routingKey: string; host: string }): object {
  const [worst = 'info'] = group.opened.map(({ severity }) => severity).toSorted((a, b) => rankOf(a) - rankOf(b))
  const { lines, rest } = listed(group.opened, sentenceOf)
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: dedupKey(group.key),
    client: 'Entrepot',
    client_url: group.url,
    payload: {
      summary: headlineOf(group).slice(0, maxSummary),
      source: host,
      severity: worst,
      timestamp: group.opened.map((alert) => alert.opened_at).toSorted()[0],
      component: group.app.name,
      group: `app ${group.app.id}`,
      class: [...new Set(group.opened.map(({ kind }) => kind))].join(', '),
      custom_details: { count: group.opened.length, alerts: lines, ...(rest && { more: rest }) },
    },
    links: [
      { href: group.url, text: 'Open the alerts' },
      { href: group.muteUrl, text: 'Mute these for a day' },
    ],
  }
}

export const resolveOf = (key: string, routingKey: string): object => ({
  routing_key: routingKey,
  event_action: 'resolve',
  dedup_key: dedupKey(key),
})
