import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { checkpointMac } from './audit-entry.ts'
import { auditKey } from './audit-key.ts'
import { oldBlocks, readCheckpoint, removeBlocks } from './audit-store.ts'
import { bareFacts, openTrail } from './trail.ts'

const blocksAtOnce = 20
export const defaultAuditDays = 400

/** Takes away what is older than the setting says, block by block, and leaves behind where the trail begins from now on. */
export async function shortenTrail(
  context: Pick<Context, 'db' | 'transaction' | 'keys' | 'auditDays'>,
  signal?: AbortSignal,
): Promise<number> {
  const days = context.auditDays ?? defaultAuditDays
  const key = await auditKey(context)
  let removed = 0
  while (!signal?.aborted) {
    const gone = await context.transaction(async (trx) => {
      const blocks = await oldBlocks(trx, days, blocksAtOnce)
      const last = blocks.at(-1)
      if (!last) return 0
      const entries = blocks.reduce((sum, block) => sum + block.entries, 0)
      const before = (await readCheckpoint(trx))?.removed ?? 0
      const checkpoint = { number: last.number, hash: last.hash, removed: before + entries }
      await removeBlocks(trx, { ...checkpoint, mac: checkpointMac(key, checkpoint) })
      return entries
    })
    removed += gone
    if (gone === 0) break
  }
  if (removed > 0) {
    const facts = {
      kind: 'change',
      operation: 'audit_retention',
      what: 'Take away old entries',
      caller: 'system',
    } as const
    const trail = await openTrail(context)
    await context.transaction((trx) => trail.append(trx, { ...bareFacts, ...facts, detail: `${removed} entries` }))
  }
  return removed
}

export const shortenAudit = job({
  name: 'shorten-audit',
  input: Type.Object({}),
  oneAtATime: () => 'shorten-audit',
  run: async (context: Context, _input, { signal }) => {
    await shortenTrail(context, signal)
  },
})
