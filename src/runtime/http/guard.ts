import { addressBlock } from '../../lib/addresses/address-block.ts'
import { Fault, forbidden, tooMany, unauthenticated } from '../../lib/fault.ts'
import type { Endpoint, RateClass } from './endpoint.ts'
import type { RateLimiter, RateWindow } from './limits/rate-limit.ts'
import type { Refusals } from './limits/refusals.ts'

/** What the guard needs to know of a caller; the program's own callers carry more. */
export interface GuardedCaller {
  kind: string
  subject: string
  /** Whose idempotency keys it uses, where the subject speaks for several. */
  keysOf?: string
  /** With whom it shares connections to the database, where that is not it alone. */
  sharesWith?: string
  /** Requests a minute; where it is missing, what the kind of caller may. */
  allowance?: number
  clientId: number
  /** Its token; below zero a session of the console. */
  tokenId?: number
  scopes: readonly string[]
  permissions: ReadonlySet<string>
  /** What the user may behind the call; null where there is none. */
  rights: ReadonlySet<string> | null
  /** The same caller, limited to where an endpoint's need is met. */
  within?(need: string | undefined): GuardedCaller
}

export type Identify = (token: string) => GuardedCaller | null | Promise<GuardedCaller | null>

export interface GuardOptions {
  identify: Identify
  limiter: RateLimiter
  /** By address and minute: `refused` at endpoints that count refusals, `page` at pages; not counted where missing. */
  limits: Readonly<Record<RateClass, number>> & { readonly refused?: number; readonly page?: number }
  /** Tokens that nobody knows. Not counted where it is missing. */
  failedTokens?: Refusals
}

export interface GuardResult {
  caller: GuardedCaller | null
  window: RateWindow | null
  fault: Fault | null
}

/**
 * Token, kind of token, rate window, scope, permission or right, in this order. Both look-ups are answered from memory nearly
 * always, so the result comes without a promise then: on the hot path a promise costs more than the checks.
 */
export function guard(
  endpoint: Endpoint,
  options: GuardOptions,
  request: { authorization: string | undefined; address: string },
): GuardResult | Promise<GuardResult> {
  const { group } = endpoint
  const token = bearer(request.authorization)
  if (group.caller === null) {
    return group.countsTokens !== undefined && token !== null
      ? countHolder(group.countsTokens, options, token)
      : group.rate === null
        ? { caller: null, window: null, fault: null }
        : countAnonymous(group.rate, options, request.address)
  }
  if (token === null) return refuse(unauthenticated())
  const caller = options.identify(token)
  return caller instanceof Promise
    ? caller.then(
        (known) => admit(endpoint, options, { caller: known, address: request.address }),
        (error: unknown) => refuse(unknownTarget(error, options, request.address)),
      )
    : admit(endpoint, options, { caller, address: request.address })
}

function admit(
  endpoint: Endpoint,
  options: GuardOptions,
  { caller, address }: { caller: GuardedCaller | null; address: string },
): GuardResult | Promise<GuardResult> {
  const { group } = endpoint
  if (caller === null) return refuse(unknownToken(options, address))
  if (caller.kind !== group.caller) return refuse(unauthenticated())
  if (group.rate === null) return judge(endpoint, caller, null)
  const window = options.limiter.hit(caller.subject, caller.allowance ?? options.limits[group.rate])
  return window instanceof Promise
    ? window.then((counted) => judge(endpoint, caller, counted))
    : judge(endpoint, caller, window)
}

function judge(endpoint: Endpoint, caller: GuardedCaller, window: RateWindow | null): GuardResult {
  if (window && !window.allowed) return { caller, window, fault: tooManyUntil(window) }
  if (!mayCall(endpoint, caller)) return { caller, window, fault: forbidden() }
  const admitted = caller.within ? caller.within(endpoint.permission ?? endpoint.right) : caller
  return { caller: admitted, window, fault: null }
}

type Needs = Pick<Endpoint, 'scope' | 'permission' | 'right'>

export function mayCall({ scope, permission, right }: Needs, caller: GuardedCaller): boolean {
  if (scope !== undefined && !caller.scopes.includes('*') && !caller.scopes.includes(scope)) return false
  if (permission !== undefined && !caller.permissions.has(permission)) return false
  return right === undefined || caller.rights === null || caller.rights.has(right)
}

/** The token endpoint: nobody is known yet, so the address is counted. */
async function countAnonymous(rate: RateClass, options: GuardOptions, address: string): Promise<GuardResult> {
  const window = await options.limiter.hit(`${rate}:${addressBlock(address)}`, options.limits[rate])
  return { caller: null, window, fault: window.allowed ? null : tooManyUntil(window) }
}

/** Whether the token opens anything is for the endpoint to say. */
async function countHolder(rate: RateClass | 'agent', options: GuardOptions, token: string): Promise<GuardResult> {
  const holder = await options.identify(token)
  if (holder?.kind !== rate) return { caller: null, window: null, fault: null }
  const allowance = holder.allowance ?? options.limits[rate === 'agent' ? 'client' : rate]
  const window = await options.limiter.hit(holder.subject, allowance)
  return { caller: null, window, fault: window.allowed ? null : tooManyUntil(window) }
}

/** Somebody who is known speaks for what is not there, or not theirs: guesses are counted like those at tokens. */
function unknownTarget(error: unknown, { failedTokens }: GuardOptions, address: string): Fault {
  if (!(error instanceof Fault) || error.kind !== 'not_found') throw error
  const seconds = failedTokens?.count(address) ?? null
  return seconds === null ? error : tooMany(seconds)
}

function unknownToken({ failedTokens }: GuardOptions, address: string): Fault {
  const seconds = failedTokens?.count(address) ?? null
  return seconds === null ? unauthenticated() : tooMany(seconds)
}

const refuse = (fault: Fault): GuardResult => ({ caller: null, window: null, fault })

const tooManyUntil = (window: RateWindow) => tooMany(window.resetsAt - Date.now() / 1000)

export function bearer(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  const match = /^\s*bearer\s+([\w.~+/=-]+)\s*$/i.exec(authorization)
  return match?.[1] ?? null
}
