import type { Connector } from '../../commerce/connector.ts'

/** Whether what a shop sends by itself arrives. `none`: it sends nothing, or nobody has registered us there. */
export const messageStates = ['arriving', 'late', 'not_arriving', 'none'] as const
export type MessageState = (typeof messageStates)[number]

/** Why a shop is asked as often as it is. */
export const readReasons = [
  'no_messages',
  'messages_missing',
  'messages_arrive',
  'platform',
  'service',
  'chosen',
  'off',
] as const
export type ReadReason = (typeof readReasons)[number]

/** Minutes from one question to the next. */
export const oftenMinutes = 5
const rarely = 60
/** Products and stock are asked for less often, within these limits. */
const catalogueFactor = 12
const catalogueMinutes = { min: 60, max: 720 }

/** What a service says in its own settings for all of its integrations, as SQL over a row of `services`. */
export const serviceReadMinutes = `case when services.settings ->> 'read_every_minutes' ~ '^[0-9]{1,4}$'
  then (services.settings ->> 'read_every_minutes')::int end`

/** What it follows from how often a shop is asked. */
export interface ReadBy {
  read_every_minutes: number | null
  service_read_minutes: number | null
  messages: MessageState
}

/** Minutes between two reads of what is new in a shop, null for never; and why. */
export function readingOf(
  integration: ReadBy,
  connector: Pick<Connector, 'readEveryMinutes'> | undefined,
): { minutes: number | null; reason: ReadReason } {
  const { read_every_minutes: chosen, service_read_minutes: ofService, messages } = integration
  const set = chosen ?? ofService
  if (set === 0) return { minutes: null, reason: 'off' }
  if (set !== null) return { minutes: set, reason: chosen === null ? 'service' : 'chosen' }
  if (messages === 'arriving') return { minutes: rarely, reason: 'messages_arrive' }
  const platform = connector?.readEveryMinutes
  if (platform !== undefined) return { minutes: platform, reason: 'platform' }
  return { minutes: oftenMinutes, reason: messages === 'none' ? 'no_messages' : 'messages_missing' }
}

/**
 * What others sell too cannot wait as long: of a sale that no message tells of, they learn by the next read. A shop that sells is asked every two
 * seconds, which is one small request, or every ten where its messages arrive; one that does not every minute, or every five. It is looked every two seconds who is to be
 * asked: whoever is due every second is asked each time, and not each other time where the clocks do not meet.
 */
export const sharedMinutes = { asked: 1 / 60, selling: 1 / 6, quiet: 1 } as const
const byItself: readonly ReadReason[] = ['no_messages', 'messages_missing', 'messages_arrive']

/** Minutes between two reads of a shop that shares its stock with others. What somebody has chosen, or a platform allows, stays. */
export function minutesWhereShared(
  { minutes, reason }: { minutes: number | null; reason: ReadReason },
  { isSelling }: { isSelling: boolean },
): number | null {
  if (!byItself.includes(reason)) return minutes
  const arrive = reason === 'messages_arrive'
  if (isSelling) return arrive ? sharedMinutes.selling : sharedMinutes.asked
  return arrive ? oftenMinutes : sharedMinutes.quiet
}

/** How often a shop would be asked if its limits were its own, and whether others wait for what it sells. */
export function wishOf(
  reading: ReturnType<typeof readingOf>,
  sharing: { isSelling: boolean } | undefined,
): { minutes: number | null; isSelling: boolean } {
  if (!sharing) return { minutes: reading.minutes, isSelling: false }
  const isSelling = sharing.isSelling && byItself.includes(reading.reason)
  return { minutes: minutesWhereShared(reading, sharing), isSelling }
}

/** So often it is looked who is to be asked, at most. */
const tickSeconds = 2
export const askedSeconds = (minutes: number): number => Math.max(tickSeconds, minutes * 60)

/** The part that a shop has in limits which its platform sets for all shops of an app together. */
export interface ReadShare {
  /** Seconds between two reads. */
  every_seconds: number
  /** The same if it were selling what others sell too: it is never asked sooner, whatever happens. */
  selling_seconds: number
  /** How many are read by the same limit, and what the platform allows them in a day. */
  shops: number
  calls_per_day: number
}

export const catalogueEvery = (minutes: number): number =>
  Math.min(catalogueMinutes.max, Math.max(catalogueMinutes.min, minutes * catalogueFactor))

/** Spreads ids evenly over whatever is divided, however they were given out. */
const share = (id: number): number => (id * 0.6180339887498949) % 1

/**
 * The next time that belongs to this integration: always the same moment of the interval, so that those which came due
 * together, because nobody was there for a while, do not stay together.
 */
export function nextRead(id: number, minutes: number, now: Date): Date {
  const period = minutes * 60_000
  const phase = Math.floor(share(id) * period)
  const begun = Math.floor((now.getTime() - phase) / period)
  return new Date((begun + 1) * period + phase)
}

/**
 * The next time of a shop that is asked as often as its share allows, which changes with those of others: no moment is its own. Never sooner, and a
 * little later for some than for others, so that those which came due together do not stay together.
 */
export const nextByShare = (id: number, seconds: number, now: Date): Date =>
  new Date(now.getTime() + seconds * 1000 * (1 + share(id) / 10))
