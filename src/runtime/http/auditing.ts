import type { CommitStep } from '../db/commit/with-first-commit.ts'
import type { Endpoint, ErasedInput } from './endpoint.ts'

/** How calls get into the audit trail: asked once for each endpoint, null where its calls are not in it. */
export type Auditing = (endpoint: Endpoint) => (() => Note) | null

/** One call, on its way into the trail. */
export interface Note {
  /** Writes it in the first transaction of the call. */
  step: CommitStep
  /** Says who it is, where no token does. */
  say(who: Who): void
  /** Runs the handler, and writes what no transaction has written. */
  around<T>(input: ErasedInput, handle: () => Promise<T>): Promise<T>
}

export interface Who {
  userId?: number
  clientId?: number
  appId?: number | null
  accountId?: number
  /** Whom somebody may have tried to sign in as who has proved nothing. */
  tried?: readonly number[]
  /** Which of several ways it was. */
  detail?: string
}
