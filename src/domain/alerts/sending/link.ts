import { hash } from 'node:crypto'
import { Fault } from '../../../lib/fault.ts'
import { open, seal } from '../../../lib/secret-box.ts'
import type { Context } from '../../context.ts'

/**
 * Links in letters and chats that do one thing without signing in: sealed, so that nobody can make one, and only for a while.
 * Programs that look into letters open every link: what one does, only a button does.
 */
export type Deed =
  /** Nothing more of what this message told, for a day. */
  | { does: 'mute'; notification: number }
  /** Nothing more to this mailbox. Programs from before have left out which it was. */
  | { does: 'stop'; channel: number; mailbox?: string }
  /** Whoever reads this mailbox agrees. */
  | { does: 'confirm'; channel: number; mailbox: string }
  /** A merchant wants no more letters of an app. */
  | { does: 'unsubscribe'; account: number }

/** A channel may move to another mailbox: what was sent to the one before says nothing for that one. */
export const mailboxOf = (address: string): string => hash('sha256', address).slice(0, 16)

const place = 'alert link'

const dayMs = 86_400_000
/** For how many days each of them works. */
const days: Readonly<Record<Deed['does'], number>> = { mute: 7, stop: 90, confirm: 7, unsubscribe: 365 }

export function linkFor(
  { keys, publicUrl }: Pick<Context, 'keys' | 'publicUrl'>,
  deed: Deed,
  now = Date.now(),
): string {
  const sealed = seal(keys, JSON.stringify({ ...deed, until: now + days[deed.does] * dayMs }), place)
  return `${publicUrl}/api/2.0/alerts/links/${sealed.toString('base64url')}`
}

const unusable = () => new Fault('unauthenticated', 'This link has expired, or is not one of ours.')

export function readLink({ keys }: Pick<Context, 'keys'>, text: string, now = Date.now()): Deed {
  try {
    const { until, ...deed }: Deed & { until: number } = JSON.parse(open(keys, Buffer.from(text, 'base64url'), place))
    if (until >= now) return deed
  } catch {
    // Whatever is wrong with it, it opens nothing.
  }
  throw unusable()
}
