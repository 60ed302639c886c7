import { type PageOf, type PageQuery, paginate } from '../../runtime/db/lists/paginate.ts'
import type { Context } from '../context.ts'
import { runEnds } from '../schedules/step-store.ts'
import { brokenAt, type FlowRun } from './flow-run.ts'
import { flowRunList, flowRunScope } from './flow-run-store.ts'

/** With why a step has failed, which its run has sealed. */
export async function listFlowRuns(
  { db, reader }: Pick<Context, 'db' | 'reader'>,
  flowId: number,
  query: PageQuery,
): Promise<PageOf<FlowRun>> {
  const { rows, total } = await paginate<FlowRun>(reader, flowRunList, flowRunScope(flowId), query)
  const failed = rows.flatMap(({ status, integration_id: integrationId, run_id: runId }) =>
    status === 'failed' && runId !== null ? [{ integrationId, runId }] : [],
  )
  const ends = await runEnds(db, failed)
  return {
    rows: rows.map((row) => {
      const end = row.status === 'failed' ? ends.get(row.run_id ?? 0) : undefined
      return end?.status === 'failed' ? { ...row, error: brokenAt(row, end.error).text } : row
    }),
    total,
  }
}
