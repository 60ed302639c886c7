import { hash } from 'node:crypto'
import { Fault } from '../../lib/fault.ts'

/**
 * What happened, for a tracing system, where one is connected. Whoever records a span never waits for it and never learns
 * that it was lost. Attributes hold ids and counts: nothing secret, and nothing about customers.
 */
export interface Span {
  trace: string
  name: string
  /** Milliseconds since 1970. */
  start: number
  end: number
  attributes: Readonly<Record<string, string | number | boolean | null>>
  /** Why it failed. */
  error?: string | null
}

export type Trace = (span: Span) => void

/*
 * Names of traces follow from what they are about, so that processes which know nothing of each other write into the
 * same one.
 */

/** All steps of one order, from the first message of the shop on: hence by the shop's id, which is known first. */
export const orderTrace = (integrationId: number, remoteId: string): string => traceOf('order', integrationId, remoteId)

/** All pages of one run. */
export const runTrace = (integrationId: number, runId: number): string => traceOf('run', integrationId, runId)

export const traceOf = (...about: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(about)).slice(0, 32)

type About = Omit<Span, 'start' | 'end' | 'error'>

/** Does the work, and says how long it took and whether it failed. `about` is asked for only if anybody listens. */
export async function traced<T>(
  trace: Trace | undefined,
  about: () => readonly About[],
  work: () => Promise<T>,
): Promise<T> {
  if (!trace) return await work()
  const start = Date.now()
  const endSpan = (error: string | null) => {
    try {
      for (const span of about()) trace({ ...span, start, end: Date.now(), error })
    } catch {
      // Whatever is wrong with it, the work has been done.
    }
  }
  try {
    const result = await work()
    endSpan(null)
    return result
  } catch (error) {
    endSpan(wordsFor(error))
    throw error
  }
}

/** Only our own words: anything else may quote what it failed on. */
export const wordsFor = (error: unknown): string => (error instanceof Fault ? error.kind : 'error')
