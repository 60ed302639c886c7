import { Fault, faultAt, invalidField, serviceUnavailable, unavailable } from '../lib/fault.ts'
import type { Wording } from '../lib/words/wording.ts'
import { withShopWords } from './rules/shop-words.ts'
import { say } from './words/say.ts'

/**
 * The way to one shop, handed to a connector for the length of a piece of work. It resolves, connects, waits for the
 * shop's budget, repeats what may be repeated, and writes the log; a connector says only what it wants to ask.
 */
export interface Remote {
  /**
   * Answers with what the shop said when that is below 500 and neither 401 nor 429. Otherwise it throws:
   * `upstream_retryable` when the shop is down, out of budget or sends nonsense, `upstream_refused` (as
   * `credentialsRefused`) when it no longer takes our credentials.
   */
  request(request: RemoteRequest): Promise<RemoteAnswer>
}

export interface RemoteRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Starts with "/" and is joined to the connector's origin; it can never leave that host. Only a request whose `origin`
   * is `download` has a whole address here, which the platform gave and whose host the connector lists.
   */
  path: string
  /** Which of the connector's `origins`; its only one by default. */
  origin?: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
  headers?: Readonly<Record<string, string>>
  /** Goes out as JSON; for anything else set `content-type` and pass text. */
  body?: unknown
  /** Goes out without credentials, as when the credentials are what is asked for. */
  anonymous?: boolean
  /** Which of the connector's budgets pays; `default` by default. */
  budget?: string
  /** What it costs there; 1 by default. */
  cost?: number
  /** May be sent again when nothing is known about the first time. GET always may. */
  repeatable?: boolean
  /** The answer is a packed file: packed as such, and not for the way. */
  unpack?: 'gzip'
  /** 30 by default. */
  timeoutSeconds?: number
  /** What the answer may hold at most; ten megabytes by default. */
  maxBytes?: number
}

export interface RemoteAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Parsed when it was JSON, else text. */
  body: unknown
  /** How large the body was, where it came over the wire. */
  bytes?: number
}

/** Carries one request over the wire, guarded. What `Remote` is built on; connectors never see it. */
export type Transport = (call: {
  url: string
  request: RemoteRequest
  /** The tenant whose share of what we have it takes; the host that is asked, where there is none yet. */
  holder?: string
}) => Promise<RemoteAnswer>

/** For programs that must not reach outside. */
export const noTransport: Transport = async () => {
  throw unavailable(60)
}

/** The shop said no, and would say so again: its reason goes to the caller. A string is in the words of the shop. */
export const refused = (reason: string | Wording) => new Fault('upstream_refused', reason)

/** The same, where something that can be set would help: it is named. */
export const refusedAt = (field: string, reason: Wording) => faultAt('upstream_refused', { [field]: [reason] })

const unseen = new WeakSet<Fault>()

/** 403 for a record by its id: some shops do not tell what is not there from what nobody may see. */
export function hidden(reason: string | Wording): Fault {
  const fault = refused(reason)
  unseen.add(fault)
  return fault
}

export const isHidden = (error: unknown): boolean => error instanceof Fault && unseen.has(error)

/** The shop's reason where it refuses this much and no more; null where it does not. */
export async function refusalReason(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Fault && error.kind === 'upstream_refused' && error.errors === undefined) return error.message
    throw error
  }
}

/**
 * The shop does not take the credentials. `fields` are those of the connector's schema that somebody should look at; none
 * where nobody typed them.
 */
export const credentialsRefused = (
  fields: readonly string[] = [],
  reason?: string | Wording,
  /** What the shop answered, for its own words. */
  body?: unknown,
) => {
  const why = (name: string | undefined) =>
    reason ??
    withShopWords(
      name ? say('field_rejected', { field: name.replaceAll('_', ' ') }) : say('credentials_rejected'),
      body,
    )
  if (fields.length === 0) return faultAt('upstream_refused', { credentials: [why(undefined)] })
  const named = fields.map((field) => [`credentials.${field}`, [why(field)]])
  return faultAt('upstream_refused', Object.fromEntries(named))
}

export const isCredentialsRefusal = (error: unknown): boolean =>
  error instanceof Fault &&
  error.kind === 'upstream_refused' &&
  Object.keys(error.errors ?? {}).some((path) => path === 'credentials' || path.startsWith('credentials.'))

/** The shop is away, or asks to come back later. */
export const shopAway = (retryAfterSeconds = 30, cause?: unknown, message: string | Wording = serviceUnavailable) =>
  new Fault('upstream_retryable', message, { retryAfterSeconds, cause })

const ambiguous = new WeakSet<Fault>()

/** The shop shows what may be our change or somebody else's: people have to look, and to say what they want. */
export function cannotTell(message: Wording): Fault {
  const fault = invalidField('force', message)
  ambiguous.add(fault)
  return fault
}

export const isAmbiguous = (error: unknown): boolean => error instanceof Fault && ambiguous.has(error)

const elsewhere = new WeakSet<Fault>()

/** Marks a fault of whatever answers in the place of the shop: whoever has just typed the address should look there. */
export function notTheShop(fault: Fault): Fault {
  elsewhere.add(fault)
  return fault
}

export const isNotTheShop = (error: unknown): error is Fault => error instanceof Fault && elsewhere.has(error)

/** A success that holds nothing of what was asked for: a page of something in between, or of something else. */
export const noData = (text: string, cause: unknown) =>
  notTheShop(shopAway(30, cause, withShopWords(say('web_page'), text)))
