import type { Remote, RemoteAnswer, RemoteRequest } from '../remote.ts'
import type { MissingRight } from '../rules/rights.ts'
import type { AnyFields, ShopFacts } from '../shop.ts'

/** What a connector says about the way to its shops. */

export interface RemoteRules<Settings, Credentials> {
  /**
   * Scheme and host that all calls to this shop go to, such as `https://acme.example`, with a base path if there is
   * one. Made from the stored integration alone: no caller ever chooses a host.
   */
  origin(facts: ShopFacts<Settings>): string
  /**
   * Further hosts of the same platform, by name, as a request's `origin` chooses them: where tokens are given, where
   * another of its interfaces lives. Made as `origin` is.
   */
  origins?: Readonly<Record<string, (facts: ShopFacts<Settings>) => string>>
  /**
   * Hosts, or endings of them that begin with a dot, from which the platform lets its files be fetched by an address that
   * it gave us. Nothing of ours goes there, credentials least of all.
   */
  downloads?: readonly string[]
  /** The request as this shop takes it, where the shop is set up otherwise than most. Pure; asked before it is signed. */
  route?(request: RemoteRequest, facts: ShopFacts<Settings>): RemoteRequest
  /**
   * The request with the credentials on it. Also used for proxied requests, which is why it stands apart. Who signs
   * requests signs `call.url`, and takes time and nonce from there.
   */
  authenticate(
    request: RemoteRequest,
    credentials: Credentials,
    facts: ShopFacts<Settings>,
    call: RemoteCall,
  ): RemoteRequest
  /**
   * The platform's own limits, by name: a bucket of `capacity` that refills by `perSecond`. Shared by all work on the
   * same shop. `default` is what a request pays from that names none.
   */
  budgets: { default: Budget } & Readonly<Record<string, Budget>>
  /**
   * What the platform says is left of limits that our registration has, where it can be asked for that: when a bucket is new,
   * about every hour, and after the platform has turned us away. `remote` knows no credentials.
   */
  limits?(remote: Remote, client: AnyFields): Promise<readonly ReportedLimit[]>
  /** Where an answer says more than its status: limits in headers, errors with status 200. */
  read?(answer: RemoteAnswer, request: RemoteRequest): AnswerReading
  /**
   * A shop that lives inside this process and answers by itself; no call leaves the machine then. Null for one that is
   * outside after all.
   */
  inProcess?(request: RemoteRequest, facts: ShopFacts<Settings>): Promise<RemoteAnswer> | null
}

export interface RemoteCall {
  /** The whole address without the request's query. */
  url: string
  /** Unix time. */
  seconds: number
  /** Never the same twice. */
  nonce: string
}

export interface Budget {
  capacity: number
  perSecond: number
  /** What the platform allows in a day, where that is less than `perSecond` lets through. */
  perDay?: number
  /**
   * Of a limit that shops share: what it takes at least to ask one of them for new orders, and for its products and levels. How often the
   * clock asks follows from that.
   */
  reads?: { orders?: number; catalogue?: number }
  /**
   * Whose limit it is: that of each shop, or one of our registration with the platform, which all shops that came by it
   * share. `shop` where it is left out.
   */
  scope?: 'shop' | 'application'
}

/** A limit as the platform itself counts it: so many in a window of time, which begins anew as a whole. */
export interface ReportedLimit {
  /** The budget that it is. */
  name: string
  limit: number
  remaining: number
  windowSeconds: number
  resetsInSeconds: number
}

export interface AnswerReading {
  /** As the status says, unless the body says otherwise: `ok` is an answer that the connector understands, whatever its status. */
  verdict?: 'ok' | 'throttled' | 'unauthorized' | 'away'
  retryAfterSeconds?: number
  /** The answer is no because the credentials may not do this, although they are right. */
  missingRight?: MissingRight
  /** The answer is there, but for what the credentials may not see: nothing stands in its place. */
  withheld?: MissingRight
  /** What the platform says is left, which beats our own count; some report only how fast it refills. */
  budget?: {
    name: string
    remaining?: number
    capacity?: number
    perSecond?: number
    /** What it allows in a day, and what is left of that. */
    perDay?: number
    dayLeft?: number
  }
}

export interface ProxyRules {
  /** Paths below these may be asked for: `/admin/orders` allows itself and `/admin/orders/5`. */
  prefixes: readonly string[]
  /** Names for `GET /resource/{resource}`, and the path each stands for. */
  resources: Readonly<Record<string, string>>
}
