import { expect } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { untilHolds } from './until.ts'

/**
 * Waits until a worker has done what was begun, of one integration or of all, so that nothing of it happens in the middle
 * of something else.
 */
export const runsOver = ({ reader }: Pick<Context, 'reader'>, integrationId: number | null = null): Promise<void> =>
  untilHolds(async () => {
    const text = `select from runs where status in ('queued', 'running') and integration_id = coalesce($1, integration_id)`
    expect(await reader.query(text, [integrationId])).toMatchObject({ rowCount: 0 })
  })

/** The same of all jobs, what is due only later left aside. */
export const jobsOver = ({ reader }: Pick<Context, 'reader'>): Promise<void> =>
  untilHolds(async () => {
    const text = `select name from pgboss.job
        where state in ('created', 'retry', 'active') and start_after <= now() and name not like '%-dead'`
    expect((await reader.query(text)).rows).toEqual([])
  })
