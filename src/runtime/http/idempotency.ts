import { createHash, hash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Fault, invalidField, malformed } from '../../lib/fault.ts'
import type { CommitStep } from '../db/commit/with-first-commit.ts'
import {
  type Hold,
  type IdempotencyKeys,
  inProgress,
  type KeptAnswer,
  lockSeconds,
  markCommitted,
} from '../db/idempotency-keys.ts'
import type { Log } from '../log.ts'
import type { Endpoint, Upload } from './endpoint.ts'
import { answerFault } from './faults.ts'
import type { ReadyAnswer } from './send.ts'

/**
 * `Idempotency-Key`: whoever does not know whether a request has been answered sends it again under the same key, and
 * gets the answer that the first one got. A key is taken when the caller is known and before anything else is looked at.
 * What is kept, for a day, is the answer of work that has begun: a success, or the reason why the domain refused. What
 * failed before that (a missing record, a wrong field), was not our day (5xx) or came too often (429) lets go of the key,
 * if nothing of it has committed: the first transaction of the work marks the key. From then on it is never free again, and
 * where the answer was lost (with the connection, with us) the same key is told so.
 */
export interface Idempotency {
  once(request: OnceRequest, work: Work): Promise<ReadyAnswer>
}

export interface OnceRequest {
  key: string
  caller: string
  method: string
  /** Path and query. */
  url: string
  body: Buffer | null
  /** Of a multipart body the file counts: every attempt of a client draws another boundary. */
  upload: Upload | null
  /** The same request again finds by itself what it has done: its key is free for it until there is an answer. */
  resumes: boolean
}

export interface Doing {
  /** Called when everything has been checked and the work itself starts. */
  began(): void
  /** What belongs into the first transaction of the work. */
  steps: readonly CommitStep[]
}

export type Work = (doing: Doing) => Promise<ReadyAnswer>

export const idempotencyHeader = 'idempotency-key'

/** Every POST of the groups that say so. */
export const takesKey = ({ method, group }: Pick<Endpoint, 'method' | 'group'>): boolean =>
  method === 'POST' && group.idempotent === true

interface IdempotencyOptions {
  keys: IdempotencyKeys
  log: Log
  /** Bytes of answers that are kept for one caller; then keys are refused until some have grown old. */
  maxBytes: number
}

/** So long a sum counts as known, and so long somebody waits who is over it. */
const sumSeconds = 60

export function createIdempotency({ keys, log, maxBytes }: IdempotencyOptions): Idempotency {
  const sums = new Map<string, { bytes: number }>()
  let sumsFrom = performance.now()

  return {
    async once(request, work) {
      const keyHash = hash('sha256', checked(request.key), 'buffer')
      const asked = { caller: request.caller, keyHash, fingerprint: fingerprintOf(request) }
      const claimed = await keys.claim(asked, randomUUID())
      switch (claimed.kind) {
        case 'ours':
          return await perform(claimed.hold, request, work)
        case 'kept':
          return replay(claimed.answer)
        case 'busy':
          throw inProgress()
        case 'lost':
          throw new Fault('conflict', lost)
        case 'other':
          throw invalidField('Idempotency-Key', 'The Idempotency-Key has been used with another request.')
      }
    },
  }

  async function perform(hold: Hold, { resumes, url }: OnceRequest, work: Work): Promise<ReadyAnswer> {
    let begun = false
    const alive = setInterval(() => void keys.extend(hold).catch(warn), (lockSeconds * 1000) / 3).unref()
    try {
      const sum = await sumOf(hold.caller)
      const answer = await work({
        began: () => {
          begun = true
        },
        steps: resumes ? [] : [(trx) => markCommitted(trx, hold)],
      })
      sum.bytes += bytesIn(answer).length
      await settle(hold, answer)
      return answer
    } catch (error) {
      const refusal = begun && error instanceof Fault ? answerFault(error, { url }) : null
      await settle(
        hold,
        refusal && { ...refusal, headers: jsonHeaders(refusal.headers), body: JSON.stringify(refusal.body) },
      )
      throw error
    } finally {
      clearInterval(alive)
    }
  }

  async function sumOf(caller: string): Promise<{ bytes: number }> {
    if (performance.now() - sumsFrom > sumSeconds * 1000) {
      sums.clear()
      sumsFrom = performance.now()
    }
    const sum = sums.get(caller) ?? { bytes: await keys.bytesOf(caller) }
    sums.set(caller, sum)
    if (sum.bytes < maxBytes) return sum
    throw new Fault('too_many', 'The answers that are kept for your Idempotency-Keys take too much space.', {
      retryAfterSeconds: sumSeconds,
    })
  }

  /** Never stands between the caller and an answer: if this cannot be written, the lock ends by itself. */
  async function settle(hold: Hold, answer: ReadyAnswer | null): Promise<void> {
    const isKept = answer !== null && answer.status < 500 && answer.status !== 429
    await (isKept ? keys.keep(hold, kept(answer)) : keys.release(hold)).catch(warn)
  }

  function warn(error: unknown) {
    log.warn({ err: error }, 'the state of an idempotency key could not be written')
  }
}

const lost =
  'The request with this Idempotency-Key was carried out, at least in part, but its answer is lost. Look at what it has done before you send another.'

const jsonHeaders = (headers: Record<string, string>) => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
})

const kept = ({ status, headers, body }: ReadyAnswer): KeptAnswer => ({
  status,
  headers,
  body: body === undefined ? null : bytesIn({ body }).toString('base64'),
})

/** No POST answers with a stream: what goes out while it is made can be kept nowhere. */
const bytesIn = ({ body }: Pick<ReadyAnswer, 'body'>): Buffer =>
  body === undefined || body instanceof Readable ? Buffer.alloc(0) : Buffer.from(body)

const replay = ({ status, headers, body }: KeptAnswer): ReadyAnswer => ({
  status,
  headers: { ...headers, 'idempotent-replayed': 'true' },
  body: body === null ? undefined : Buffer.from(body, 'base64'),
})

function checked(key: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw malformed('The Idempotency-Key must be 1 to 255 printable characters.')
  return key
}

function fingerprintOf({ method, url, body, upload }: OnceRequest): Buffer {
  const digest = createHash('sha256').update(`${method} ${url}\n`)
  if (upload) digest.update(`${upload.filename}\n`).update(upload.bytes)
  else if (body) digest.update(body)
  return digest.digest()
}
