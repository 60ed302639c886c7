import type { ActionName } from '../commerce/action.ts'
import type { Connectors } from '../commerce/connectors.ts'
import type { Transport } from '../commerce/remote.ts'
import type { KeyRing } from '../lib/secret-box.ts'
import type { Db } from '../runtime/db/connection.ts'
import type { Reader } from '../runtime/db/lists/paginate.ts'
import type { Egress } from '../runtime/egress/egress-request.ts'
import type { EgressRoutes } from '../runtime/egress/egress-routes.ts'
import type { Enqueue } from '../runtime/jobs/job.ts'
import type { Log } from '../runtime/log.ts'
import type { Mailer } from '../runtime/mail/mailer.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { OpenId } from '../runtime/openid/open-id.ts'
import type { Trace } from '../runtime/telemetry/trace.ts'
import type { Facts } from './fact.ts'
import type { Live } from './live.ts'
import type { Quotas } from './quota-store.ts'
import type { Caller } from './tenant.ts'

export interface Inside {
  /** By the way that every request takes: guard, limits, rights, audit trail and idempotency keys. */
  ask(
    caller: Caller,
    request: {
      method: 'GET' | 'POST' | 'PUT'
      /** Path and query. */
      url: string
      body?: unknown
      idempotencyKey?: string
      address: string
      requestId: string
    },
  ): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: unknown }>
  /** What no endpoint writes into the audit trail: what an agent was refused, and what waits for a person. */
  note(entry: AgentNote): Promise<void>
}

export interface AgentNote {
  /** The agent's; the person behind it is `onBehalfOf`. */
  caller: Pick<Caller, 'clientId' | 'onBehalfOf'> & { appId: number }
  tool: string
  what: string
  detail: string
  outcome: 'done' | 'refused'
  integrationId?: number | null
  proposalId?: number
  address: string
  requestId: string
}

/** What is asked of shops in another thread: their answers may be large, and are taken apart there. */
export interface InThread {
  /** The answer to an action that only reads, as the API writes it. */
  read(action: {
    integrationId: number
    name: ActionName
    fields: Record<string, unknown>
    under: string | null
  }): Promise<Uint8Array>
  /** Seconds, as of `estimateRun`. */
  estimate(run: {
    integrationId: number
    name: ActionName
    input: Readonly<Record<string, unknown>>
  }): Promise<number | null>
}

/** What a use case is handed. It reads no clock, environment or network by itself. */
export interface Context {
  /** For reads and single statements. */
  db: Db
  /** For pages of lists: named, prepared statements (see `runtime/db/lists/paginate.ts`). */
  reader: Reader
  /** Everything inside commits together or not at all; it is tried again after a deadlock. */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>
  /** Starts a job in the caller's transaction: it runs if, and only if, that transaction commits. */
  enqueue: Enqueue
  /** Says what has happened, in the transaction that made it so: the jobs that follow from it run if it commits. */
  record<Name extends keyof Facts>(trx: Db, fact: Name, about: Facts[Name]): Promise<void>
  /** Seals and opens secrets. */
  keys: KeyRing
  /** The connectors; that of a record is found with `connectorFor`. */
  connectors: Connectors
  /** The way out for connectors; use cases go through `integrations/open-remote.ts`. */
  transport: Transport
  /** The way out to addresses that apps name for alerts, guarded as webhooks are; `webhookAllow` says what is excepted. */
  callOut: Egress['fetch']
  /** Hosts (or host:port) of webhooks that may be reached although they are private or use plain http. */
  webhookAllow: readonly string[]
  /** Where it is missing, the operator has named no mail server; use cases go through `mail/send-mail.ts`. */
  mail?: Pick<Mailer, 'send'>
  /** Identity providers of companies; where it is missing, nobody signs in by one. */
  openId?: OpenId
  /** The texts that a name has in the name service. */
  readTxt?(name: string): Promise<readonly string[]>
  /** Where it is missing, those that hold where nothing is set. */
  quotas?: Quotas
  /** Runs at the same time in one worker, as the operator has set it. */
  runSlots?: number
  /** Hosts of platforms that are imitated on this machine, during development. */
  egressRoutes?: EgressRoutes
  /** For how many days after an order has left it may say who bought it, by type of service, as the operator has set it. */
  personalDataDays?: ReadonlyMap<string, number>
  /** Who sends this bearer token; for the few endpoints that take a token among other proofs. */
  identify: (token: string) => Caller | null | Promise<Caller | null>
  /** Says who makes the request, where no token does: whoever signs in, successfully or not. */
  say?(who: {
    userId?: number
    clientId?: number
    appId?: number | null
    accountId?: number
    /** Whom somebody may have tried to sign in as, before anything is proved. */
    tried?: readonly number[]
    /** Which of several ways it was, by a name that we know. */
    detail?: string
  }): void
  /** Where requests are answered: our own endpoints, asked in somebody's place. For agents, who come no other way. */
  inside?: Inside
  /** Where requests are answered: another thread, which reads shops for them. */
  inThread?: InThread
  /** Where requests are answered: what is happening, for those who watch. */
  live?: Live
  /** For how many days the audit trail is kept. */
  auditDays?: number
  /** Aborted when the program begins to stop: whoever lets somebody wait lets them go. */
  stopping?: AbortSignal
  /** For how many days calls of the API are kept; 0 if they are not. */
  requestLogDays?: number
  log: Log
  /** Where figures are kept of what happened; counting never fails or waits. */
  metrics?: Pick<Metrics, 'runSeconds' | 'shopAnswers'>
  /** Where a tracing system is connected: takes what happened, and never fails or waits. */
  trace?: Trace
  publicUrl: string
}
