import { randomUUID } from 'node:crypto'
import type { Write } from '../../commerce/connector/parts.ts'
import { isAmbiguous, isCredentialsRefusal, type Remote, refused, shopAway } from '../../commerce/remote.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault, whyOf } from '../../lib/fault.ts'
import { reasonOrNull, textOf } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { neverSent, wasNeverSent } from '../../runtime/egress/egress-faults.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { type OperationKind, type OperationStatus, operationId } from './operation.ts'
import {
  endAttempt,
  type HeldOperation,
  holdOperation,
  isOtherSent,
  keepReceipt,
  letGo,
  markSent,
  settleOperation,
} from './operation-store.ts'
import type { Answer } from './sealed-operation.ts'

/** Where the change is to be made. */
export interface Target {
  integration: { id: number; integration_key: string }
  shop: Shop
}

export interface WritePlan<Input> {
  kind: OperationKind
  /** What makes two requests the same change. */
  key: string
  input: Input
  /** A second request for what is done gets the first one's result. Else it is a change of its own. */
  once?: boolean
  /** For those who only want to know: what has not happened is not sent. */
  onlyFindOut?: boolean
  /** Somebody has looked at what cannot be told apart, and wants it all the same. */
  insists?: boolean
  /**
   * The order of which no other such change may be under way, nor have been sent since it was read: which of two the shop
   * has made could not be told apart.
   */
  alone?: { orderRemoteId: string; readAt: string }
  /** Looks whether it may be done, once it is certain that it has not been; throws what speaks against it. */
  check?: () => Promise<void>
}

export interface Written<Result> {
  result: Result
  /**
   * Belongs into the transaction that makes our copy show it. Until then the same request gets the same result. False where somebody has done so
   * before: what was made later is not to be taken for older.
   */
  settle(trx: Db): Promise<boolean>
}

type AnyWrite<Input, Result> = Write<AnyFields, AnyFields, Input, Result>
type WriteContext = Pick<Context, 'db' | 'transaction'>

/** A shop may still be at a request that we have given up; before that, "it is not there" proves nothing. */
const settlingSeconds = 30

/**
 * Changes something in the shop, at most once: it is written down before it is sent, and after an end that nobody saw
 * the shop is asked first. Null only where it was to be found out and has not happened.
 */
export async function performWrite<Input, Result>(
  context: WriteContext,
  target: Target,
  plan: WritePlan<Input> & { onlyFindOut: true },
  write: AnyWrite<Input, Result>,
): Promise<Written<Result> | null>
export async function performWrite<Input, Result>(
  context: WriteContext,
  target: Target,
  plan: WritePlan<Input>,
  write: AnyWrite<Input, Result>,
): Promise<Written<Result>>
export async function performWrite<Input, Result>(
  context: WriteContext,
  target: Target,
  plan: WritePlan<Input>,
  write: AnyWrite<Input, Result>,
): Promise<Written<Result> | null> {
  const { db } = context
  const { integration, shop } = target
  const held = await holdOperation(db, integration.id, { ...plan, once: plan.once ?? false }, randomUUID())
  if (!held) throw neverSent(shopAway(5, new Error('the same change is already in progress')))
  const operation = {
    id: operationId(integration.integration_key, held),
    receipt: held.receipt,
    keep: (receipt: string) => keepReceipt(db, integration.id, held, receipt),
  }
  const written = (result: Result): Written<Result> => ({
    result,
    settle: (trx) => settleOperation(trx, integration.id, held),
  })
  const confirmed = async (result: Result): Promise<Written<Result>> => {
    await endAttempt(db, integration.id, held, { status: 'confirmed', result })
    return written(result)
  }

  if (held.status === 'confirmed') {
    if (held.lostAnswer) {
      await letGo(db, integration.id, held)
      throw refused(say('made_before'))
    }
    // Stored by an attempt at the same write: it has the type of its result.
    const result = held.result as Result
    return await confirmed(result)
  }
  if (held.status !== 'planned' && !write.repeatable) {
    // What was sent is asked after: how things stood before it belongs to that. It fits its kind and key.
    const sent = held.input as Input
    const found = await askFirst(() => write.confirm(shop, sent, operation))
    if (found !== null) return await confirmed(found)
  }
  if (plan.onlyFindOut && !write.repeatable) {
    await endAttempt(db, integration.id, held, { status: 'planned' })
    return null
  }
  // What is repeated may be half done: the shop shows it in part, and that is no reason to leave it there.
  const looks = held.status === 'planned' || !write.repeatable
  if (plan.check && looks) await look(plan.check)
  const mark = (at: Db) => markSent(at, integration.id, held, plan.input)
  const { alone } = plan
  const isMarked = await (alone && looks ? look(() => markAlone(alone, mark)) : mark(db))
  if (!isMarked) throw neverSent(shopAway(5))
  const watched = watch(shop)
  let result: Result
  try {
    result = await write.send(watched.shop, plan.input, operation)
  } catch (error) {
    const outcome = watched.outcome()
    // What was only asked after had been sent before.
    const end = endOf(error, outcome === 'nothing' && held.receipt !== null ? 'answered' : outcome)
    await endAttempt(db, integration.id, held, end)
    if (end.status === 'unknown') await logUnconfirmed(context, integration.id, held)
    throw error
  }
  return await confirmed(result)

  /** Asked and marked at once. */
  function markAlone(named: NonNullable<typeof alone>, mark: (trx: Db) => Promise<boolean>): Promise<boolean> {
    return context.transaction(async (trx) => {
      if (await isOtherSent(trx, integration.id, { kind: plan.kind, key: plan.key, ...named }))
        throw neverSent(shopAway(30, new Error('another such change of the order has not been confirmed yet')))
      return await mark(trx)
    })
  }

  async function look<T>(check: () => Promise<T>): Promise<T> {
    try {
      return await check()
    } catch (error) {
      if (held) await endAttempt(db, integration.id, held, { status: 'planned', ...wordsOf(error) })
      throw error
    }
  }

  /** Null is certain. */
  async function askFirst(ask: () => Promise<Result | null>): Promise<Result | null> {
    const doubt = { status: 'unknown' } as const
    try {
      const found = await ask().catch((error: unknown) => {
        if (plan.insists && isAmbiguous(error)) return null
        throw error
      })
      const left = settlingSeconds - (held?.sentSecondsAgo ?? settlingSeconds)
      if (found === null && left > 0) throw shopAway(Math.ceil(left), new Error('it may still arrive'))
      return found
    } catch (error) {
      // About what it has given a receipt for, the shop has answered.
      const end = held?.receipt == null ? doubt : endOf(error, 'answered')
      if (held) await endAttempt(db, integration.id, held, end)
      throw error
    }
  }
}

/** `nothing`: no change can have reached the shop. `answered`: it has answered all that did. */
type Outcome = 'nothing' | 'answered' | 'unclear'

/** Only what is no reading counts, and only if it got there. */
function watch(shop: Shop): { shop: Shop; outcome(): Outcome } {
  let outcome: Outcome = 'nothing'
  const remote: Remote = {
    async request(request) {
      if (request.method === 'GET') return await shop.remote.request(request)
      try {
        const answer = await shop.remote.request(request)
        if (outcome === 'nothing') outcome = 'answered'
        return answer
      } catch (error) {
        if (!wasNeverSent(error)) outcome = 'unclear'
        throw error
      }
    },
  }
  return { shop: { ...shop, remote }, outcome: () => outcome }
}

/** What is known after a failure. A refusal is one only if the shop itself has answered. */
function endOf(error: unknown, outcome: Outcome): { status: OperationStatus } & Answer {
  const refusal = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
  if (refusal && outcome !== 'unclear') return { status: 'refused', ...wordsOf(error) }
  return { status: outcome === 'nothing' ? 'planned' : 'unknown', ...wordsOf(error) }
}

function wordsOf(error: unknown): Answer {
  const why = whyOf(error)
  return { error: textOf(why), reason: reasonOrNull(why) }
}

const logUnconfirmed = ({ db }: WriteContext, integrationId: number, { kind, id }: HeldOperation): Promise<void> =>
  appendLog(db, integrationId, {
    level: 'warning',
    event: 'operation.unknown',
    words: logWords('operation.unknown'),
    context: { operation: id, kind },
  })
