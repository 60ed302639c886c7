import { expect, vi } from 'vitest'
import type { Context } from '../../src/domain/context.ts'

/** Waits until a worker has done what was begun, so that nothing of it happens in the middle of something else. */
export const runsOver = ({ reader }: Pick<Context, 'reader'>): Promise<void> =>
  vi.waitFor(
    async () => {
      const text = `select from runs where status in ('queued', 'running')`
      expect(await reader.query({ text })).toMatchObject({ rowCount: 0 })
    },
    { timeout: 60_000, interval: 50 },
  )
