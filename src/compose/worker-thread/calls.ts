import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { ShopFacts } from '../../commerce/shop.ts'
import type { InThread } from '../../domain/context.ts'
import type { EgressAnswer, EgressRequest } from '../../runtime/egress/egress-request.ts'
import type { Figures } from '../../runtime/metrics.ts'

/** What the main thread and that of the worker ask each other. */

export interface ThreadData {
  /** Where the main thread keeps what it has compiled. */
  compiled: string | undefined
  /** Runs jobs; else it only reads for requests. */
  works: boolean
  /** When it last gave a sign, by the clock that all threads share: nanoseconds. */
  sign: SharedArrayBuffer
}

export type OfThread = {
  read: InThread['read']
  estimate: InThread['estimate']
  figures(_: null): Promise<Figures>
  /** Resolves when what was under way has come to its end. */
  stop(_: null): Promise<void>
}

/** Shops that live inside the process live in its main thread: changed there by requests, and read here. */
export type OfMain = {
  /** Once it is there: meanwhile the thread loads its code. */
  databaseUrl(_: null): Promise<string>
  log(line: string): void
  demoShop(request: PlainRequest): Promise<EgressAnswer>
  sandbox(call: { request: RemoteRequest; facts: Pick<ShopFacts, 'shop' | 'settings'> }): Promise<RemoteAnswer>
}

/** What can be handed to another thread. */
export type PlainRequest = Omit<EgressRequest, 'onLarge' | 'watch'>
