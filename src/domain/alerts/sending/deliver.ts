import { Fault, unavailable } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { messageOf } from '../../mail/letter.ts'
import { type Address, type Channel, pagerDutyUrl } from '../channels/channel.ts'
import { linkFor, mailboxOf } from './link.ts'
import { chatOf, type Group, letterOf, resolveOf, triggerOf } from './message.ts'

/** What the other side said: shown to whoever tries a channel out, and where one fails. */
export interface Answer {
  status: number | null
  said: string
}

export type Outgoing = Pick<Context, 'mail' | 'callOut' | 'keys' | 'publicUrl'>

const timeoutMs = 15_000
const maxExcerpt = 300

/** One message to one channel. `resolved`: keys of earlier ones of which nothing is open any more. */
export async function deliver(
  context: Outgoing,
  { channel, address }: { channel: Channel; address: Address },
  { group, resolved }: { group: Group; resolved: readonly string[] },
): Promise<Answer> {
  switch (channel.type) {
    case 'email': {
      if (!context.mail) throw unavailable(60, new Error('SMTP_URL is not set where jobs run.'))
      const stopUrl = linkFor(context, { does: 'stop', channel: channel.id, mailbox: mailboxOf(address.address) })
      const letter = letterOf(group, { to: address.address, stopUrl })
      await context.mail.send({ ...messageOf(`alert-${group.key}`, letter), unsubscribeUrl: stopUrl })
      return { status: null, said: 'The mail server has accepted the message.' }
    }
    case 'slack':
      return await post(context, address.address, chatOf(group))
    case 'pagerduty': {
      const url = address.url ?? pagerDutyUrl
      const { host } = new URL(context.publicUrl)
      let last: Answer = { status: null, said: 'There was nothing to say.' }
      for (const key of resolved) last = await post(context, url, resolveOf(key, address.address))
      if (group.opened.length === 0) return last
      return await post(context, url, triggerOf(group, { routingKey: address.address, host }))
    }
  }
}

async function post({ callOut }: Outgoing, url: string, body: object): Promise<Answer> {
  const answer = await callOut({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs,
    excerpt: maxExcerpt,
  })
  const said = [...answer.bytes.toString('utf8')].filter((sign) => sign >= ' ').join('')
  const { status } = answer
  if (status >= 200 && status < 300) return { status, said }
  const words = `It answered ${status}${said === '' ? '' : `: ${said}`}.`
  const isLater = status === 408 || status === 429 || status >= 500
  throw new Fault(isLater ? 'upstream_retryable' : 'upstream_refused', words)
}

/** Without anything about our own network, and without where it went. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof Fault)) return 'The message could not be sent.'
  if (error.kind === 'unavailable') return 'This service has no mail server.'
  if (/answered|mail server/.test(error.message)) return error.message
  return error.kind === 'upstream_refused'
    ? 'The address may not be reached from here.'
    : 'The address could not be reached.'
}
