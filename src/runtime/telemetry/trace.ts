import { hash } from 'node:crypto'

/**
 * The names under which steps are found again elsewhere (W3C Trace Context). They follow from what the step is about,
 * so that processes which know nothing of each other write into the same trace.
 */

/** All steps of one order, from the first message of the shop on: hence by the shop's id, which is known first. */
export const orderTrace = (integrationId: number, remoteId: string): string => traceOf('order', integrationId, remoteId)

/** All pages of one run. */
export const runTrace = (integrationId: number, runId: number): string => traceOf('run', integrationId, runId)

export const traceOf = (...parts: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, 32)

export const spanOf = (...parts: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(parts)).slice(-16)
