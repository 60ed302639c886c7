import { malformed, notFound } from '../../lib/fault.ts'
import { isTime } from '../../runtime/db/lists/changes.ts'
import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import type { ApiRequest } from './api-request.ts'
import {
  findRequest,
  type ListedRequest,
  type RequestFilter,
  type RequestPlace,
  readRequests,
} from './request-store.ts'

export type { ListedRequest, RequestFilter } from './request-store.ts'
export { readUsage, type UsageStep } from './request-store.ts'

/** A page, newest first; `cursor` is null where there is nothing older. */
export async function listRequests(
  { db }: Pick<Context, 'db'>,
  tenant: AppTenant,
  { filter, cursor, limit }: { filter: RequestFilter; cursor: string | null; limit: number },
): Promise<{ requests: ListedRequest[]; cursor: string | null }> {
  const after = cursor === null ? null : placeOf(cursor)
  const found = await readRequests(db, tenant, { filter, after, limit: limit + 1 })
  const requests = found.slice(0, limit)
  const last = requests.at(-1)
  return { requests, cursor: found.length > limit && last ? cursorOf(last) : null }
}

const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function getRequest({ db }: Pick<Context, 'db'>, tenant: AppTenant, id: string): Promise<ApiRequest> {
  const request = requestId.test(id) ? await findRequest(db, tenant, id) : undefined
  if (!request) throw notFound()
  return request
}

const cursorOf = ({ at, id }: RequestPlace): string => Buffer.from(`${at}|${id}`).toString('base64url')

function placeOf(cursor: string): RequestPlace {
  const [, at, id = ''] =
    /^([\d:.TZ-]{20,27})\|([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || !isTime(at) || !requestId.test(id)) throw malformed('Invalid cursor.')
  return { at, id }
}
