import type { MessagePort, Worker } from 'node:worker_threads'
import { Fault, type FaultDetails, type FaultKind } from '../../lib/fault.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { describeError } from '../log.ts'

/** What one thread can be asked by another, by name. What goes in and what comes out is copied. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>

/** The line to another thread, on which both ask and answer. */
export interface Line<Theirs extends Answers> {
  ask<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>
  /** Without waiting for an answer. */
  tell<Name extends keyof Theirs & string>(name: Name, input: Parameters<Theirs[Name]>[0]): void
  /** The other thread is gone: whoever waits for it learns why, and so does whoever asks from now on. */
  end(why: Error): void
}

type Message =
  | { kind: 'question'; id: number; name: string; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: Failure }

/**
 * Faults keep what they are, for whoever answers a request with them. Of anything else goes what a log may say of it, with its code: by that
 * a database that is away is known, here as there.
 */
type Failure =
  | { fault: FaultKind; message: string | Wording; details: Omit<FaultDetails, 'cause'> }
  | { fault: null; described: Record<string, unknown> }

export function openLine<Theirs extends Answers>(
  port: Pick<MessagePort | Worker, 'postMessage' | 'on'>,
  ours: Answers,
): Line<Theirs> {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let questions = 0
  let ended: Error | null = null

  async function answer(id: number, name: string, input: unknown): Promise<void> {
    try {
      const work = ours[name]
      if (!work) throw new Error(`Nobody answers "${name}" here.`)
      const value = await work(input as never)
      if (id !== 0) port.postMessage({ kind: 'answer', id, value } satisfies Message, ownedBy(value))
    } catch (error) {
      if (id === 0) throw error
      port.postMessage({ kind: 'failure', id, failure: failureOf(error) } satisfies Message)
    }
  }

  port.on('message', (message: Message) => {
    if (message.kind === 'question') return void answer(message.id, message.name, message.input)
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'answer') asker?.resolve(message.value as never)
    else asker?.reject(errorOf(message.failure))
  })

  return {
    async ask(name, input) {
      if (ended) throw ended
      const id = ++questions
      return await new Promise<never>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        port.postMessage({ kind: 'question', id, name, input } satisfies Message)
      })
    },
    tell(name, input) {
      if (!ended) port.postMessage({ kind: 'question', id: 0, name, input } satisfies Message)
    },
    end(why) {
      ended = why
      for (const { reject } of waiting.values()) reject(why)
      waiting.clear()
    },
  }
}

/** Bytes that belong to nobody else are handed over and not copied. */
const ownedBy = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : []

function failureOf(error: unknown): Failure {
  if (error instanceof Fault) {
    const { kind, wording, message, wordings: errors, oauth, retryAfterSeconds } = error
    const details = {
      ...(errors && { errors }),
      ...(oauth && { oauth }),
      ...(retryAfterSeconds && { retryAfterSeconds }),
    }
    return { fault: kind, message: wording ?? message, details }
  }
  return { fault: null, described: describeError(error) }
}

function errorOf(failure: Failure): Error {
  if (failure.fault !== null) return new Fault(failure.fault, failure.message, failure.details)
  return Object.assign(new Error(), failure.described)
}
