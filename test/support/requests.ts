import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import type { ApiRequest } from '../../src/domain/requests/api-request.ts'
import { untilHolds } from './until.ts'

const plenty = 1_000_000

/** Room in the request log for every call of a test. */
export const allOfThem = { calls: plenty, callsOfApp: plenty, failures: plenty, failuresOfApp: plenty, waiting: plenty }

/** Those that are in the log, once there are as many as that; oldest first. */
export async function loggedRequests(
  { db }: Pick<Context, 'db'>,
  which: (request: ApiRequest) => boolean,
  atLeast = 1,
): Promise<ApiRequest[]> {
  return await untilHolds(async () => {
    const { rows } = await sql<ApiRequest>`select * from api_requests order by at, id`.execute(db)
    const found = rows.filter(which)
    expect(found.length).toBeGreaterThanOrEqual(atLeast)
    return found
  })
}
