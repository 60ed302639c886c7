import type { Db } from '../../runtime/db/connection.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { createRequestRecorder, type RecorderOptions, type RequestRecorder } from './record-requests.ts'
import { addMinutes, insertRequests } from './request-store.ts'

interface RequestLogOptions extends Pick<RecorderOptions, 'log' | 'room'> {
  db: Db
  metrics: Pick<Metrics, 'loggedRequests'>
}

/** The request log of a process that answers calls. */
export const openRequestLog = ({ db, log, metrics, room }: RequestLogOptions): RequestRecorder =>
  createRequestRecorder({
    log,
    room,
    onOutcome: (outcome, calls) => metrics.loggedRequests.inc({ outcome }, calls),
    write: (requests) => insertRequests(db, requests),
    addMinutes: (minutes) => addMinutes(db, minutes),
  })
