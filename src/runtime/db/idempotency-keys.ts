import { sql } from 'kysely'
import type pg from 'pg'
import { Fault } from '../../lib/fault.ts'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from './connection.ts'
import type { Reader } from './lists/paginate.ts'

/**
 * Which requests have been made under which key, and what was answered (see `runtime/http/idempotency.ts`). A key is
 * taken by one statement, so of any number of requests at the same moment one gets it.
 */
export interface KeyedRequest {
  /** Whose key it is: keys of different callers have nothing to do with each other. */
  caller: string
  keyHash: Buffer
  fingerprint: Buffer
}

export interface Hold {
  id: number
  holder: string
  caller: string
}

export interface KeptAnswer {
  status: number
  headers: Record<string, string>
  /** In base64, so that any bytes come back as they were; null for none. */
  body: string | null
}

export type Claimed =
  | { kind: 'ours'; hold: Hold }
  /** Somebody is at it. */
  | { kind: 'busy' }
  /** Another request has been made under this key. */
  | { kind: 'other' }
  | { kind: 'kept'; answer: KeptAnswer }
  /** It was carried out, and nobody knows the answer any longer. */
  | { kind: 'lost' }

/** So long an answer is given again. */
const keepHours = 24
/** So long a process that has died keeps a key from others; one that lives says so again before. */
export const lockSeconds = 60

const lockedUntil = `now() + interval '${lockSeconds} seconds'`

const claimText = `
  insert into idempotency_keys as k (caller, key_hash, fingerprint, holder, locked_until)
  values ($1, $2, $3, $4, ${lockedUntil})
  on conflict (caller, key_hash) do update set
    fingerprint = excluded.fingerprint, holder = excluded.holder, locked_until = excluded.locked_until,
    status = null, answer = null, key_id = null, committed_at = null, created_at = excluded.created_at
  where k.created_at < now() - interval '${keepHours} hours'
    or (k.status is null and k.committed_at is null and k.locked_until < now())
  returning id`

const lookText = `
  select id, fingerprint, answer,
    committed_at is not null and (locked_until is null or locked_until < now()) as is_left
  from idempotency_keys
  where caller = $1 and key_hash = $2`

interface Row {
  id: number
  fingerprint: Buffer
  answer: Buffer | null
  /** Committed by somebody who is no longer at it. */
  is_left: boolean
}

export function idempotencyKeys(reader: Reader, ring: KeyRing) {
  const ask = async <T extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await reader.query<T>(text, values)).rows

  async function claim(request: KeyedRequest, holder: string): Promise<Claimed> {
    const { caller, keyHash, fingerprint } = request
    // Whoever had it may let go of it between the two looks; then it is tried again.
    for (let look = 0; look < 3; look++) {
      const [made] = await ask<{ id: number }>(claimText, [caller, keyHash, fingerprint, holder])
      if (made) return { kind: 'ours', hold: { id: made.id, holder, caller } }
      const [known] = await ask<Row>(lookText, [caller, keyHash])
      if (!known) continue
      if (!known.fingerprint.equals(fingerprint)) return { kind: 'other' }
      if (known.answer === null) return { kind: known.is_left ? 'lost' : 'busy' }
      return { kind: 'kept', answer: JSON.parse(open(ring, known.answer, answerPlace(known.id, caller))) }
    }
    return { kind: 'busy' }
  }

  return {
    claim,
    /** Still at it. */
    async extend({ id, holder }: Hold): Promise<void> {
      const text = `update idempotency_keys set locked_until = ${lockedUntil} where id = $1 and holder = $2`
      await ask(text, [id, holder])
    },
    async keep({ id, holder, caller }: Hold, answer: KeptAnswer): Promise<void> {
      const sealed = seal(ring, JSON.stringify(answer), answerPlace(id, caller))
      const text = `update idempotency_keys
        set status = $3, answer = $4, key_id = $5, holder = null, locked_until = null where id = $1 and holder = $2`
      await ask(text, [id, holder, answer.status, sealed, ring[0].id])
    },
    /**
     * As if it had never been made; unless the work has committed, and be it that nobody heard of it: then nobody is at it any
     * longer. A commit that is still under way is waited for, since it holds the row.
     */
    async release({ id, holder }: Hold): Promise<void> {
      const free = 'delete from idempotency_keys where id = $1 and holder = $2 and committed_at is null returning id'
      const freed = await ask(free, [id, holder])
      if (freed.length > 0) return
      const leave = 'update idempotency_keys set holder = null, locked_until = null where id = $1 and holder = $2'
      await ask(leave, [id, holder])
    },
    /** Bytes of all answers that are kept for a caller. */
    async bytesOf(caller: string): Promise<number> {
      const text = 'select coalesce(sum(bytes), 0)::float8 as bytes from idempotency_keys where caller = $1'
      return (await ask<{ bytes: number }>(text, [caller]))[0]?.bytes ?? 0
    },
    /** What all of them take on the disk. */
    async size(): Promise<number> {
      const text = `select pg_total_relation_size('idempotency_keys')::float8 as bytes`
      return (await ask<{ bytes: number }>(text, []))[0]?.bytes ?? 0
    },
  }
}

/** In the transaction of the work itself. Whoever was taken for dead, and has lost the key, does not commit. */
export async function markCommitted(trx: Db, { id, holder }: Hold): Promise<undefined> {
  const { numAffectedRows } = await sql`
    update idempotency_keys set committed_at = now() where id = ${id} and holder = ${holder}`.execute(trx)
  if (numAffectedRows !== 1n) throw inProgress()
}

export const inProgress = () =>
  new Fault('conflict', 'A request with this Idempotency-Key is in progress.', { retryAfterSeconds: 1 })

export type IdempotencyKeys = ReturnType<typeof idempotencyKeys>

export const answerPlace = (id: number, caller: string) => `idempotency_keys.answer/${id}/${caller}`
