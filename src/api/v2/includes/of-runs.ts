import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import type { Run } from '../../../domain/runs/run.ts'
import { findRun, listRuns } from '../../../domain/runs/run-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import type { ShopRead } from '../shop-data.ts'
import { runSchema, runView } from '../views/run.ts'

export const runList = {
  method: 'GET',
  path: '/integrations/{integrationId}/runs',
  summary: 'List runs',
  description: 'Newest first.',
  extension: true,
  query: listQuery({ filter: ['status', 'resource'], sort: ['id', 'created_at'] }),
  returns: page(runSchema),
  handle: async ({ context, found, query }: ShopRead<Integration>) => {
    const { rows, total } = await listRuns(context.reader, found.id, query)
    return { rows: rows.map(runView), total }
  },
} as const

export const findRunOf = ({ db }: Context, { id }: Integration, run: string): Promise<Run> =>
  findRun(db, id, recordId(run))

export const oneRun = {
  method: 'GET',
  path: '/integrations/{integrationId}/runs/{run}',
  summary: 'Get a run',
  extension: true,
  returns: record(runSchema),
  handle: async ({ found }: { found: Run }) => runView(found),
} as const
