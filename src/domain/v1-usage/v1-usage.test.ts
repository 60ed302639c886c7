import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeClient, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { paginate } from '../../runtime/db/lists/paginate.ts'
import { createV1Usage } from './create-v1-usage.ts'
import type { V1Usage } from './v1-usage.ts'
import { v1UsageList, v1UsageScope } from './v1-usage-store.ts'

let test_: TestContext

beforeAll(async () => {
  test_ = await createTestContext()
})
afterAll(() => test_.close())

const query = { page: 1, perPage: 15, filter: {}, sort: [] }

test('calls are added up, also over several writers, and shown to the owner of the client', async () => {
  const { context } = test_
  const { client_id: clientId } = await makeClient(context)
  const company = await makeCompany(context)
  await context.db.updateTable('oauth_clients').set({ company_id: company }).where('id', '=', clientId).execute()
  const usage = createV1Usage(context)
  const other = createV1Usage(context)
  for (let n = 0; n < 3; n++) usage.record(clientId, 'GET', '/api/1.0/orders')
  other.record(clientId, 'GET', '/api/1.0/orders')
  other.record(clientId, 'POST', '/api/1.0/orders')
  other.record(999_999_999, 'GET', '/api/1.0/orders')
  await Promise.all([usage.flush(), other.close()])
  usage.record(clientId, 'GET', '/api/1.0/orders')
  await usage.close()
  const colleague = await makeUser(context, { company_id: company })
  const tenant = { userId: colleague.id, companyId: company, admin: false }
  const { rows } = await paginate<V1Usage>(context.reader, v1UsageList, v1UsageScope(tenant), query)
  expect(rows.map((row) => [row.method, row.calls]).sort()).toEqual([
    ['GET', 5],
    ['POST', 1],
  ])
  const stranger = { userId: 999, companyId: null, admin: false }
  expect((await paginate(context.reader, v1UsageList, v1UsageScope(stranger), query)).total).toBe(0)
  const admin = { userId: 999, companyId: null, admin: true }
  expect((await paginate(context.reader, v1UsageList, v1UsageScope(admin), query)).total).toBe(2)
})

test('what could not be written is written the next time', async () => {
  const { context } = test_
  const { client_id: clientId } = await makeClient(context)
  const usage = createV1Usage(context)
  await context.db.schema.alterTable('v1_calls').renameTo('v1_calls_away').execute()
  usage.record(clientId, 'GET', '/api/1.0/users')
  await usage.flush()
  await context.db.schema.alterTable('v1_calls_away').renameTo('v1_calls').execute()
  usage.record(clientId, 'GET', '/api/1.0/users')
  await usage.close()
  const row = await context.db
    .selectFrom('v1_calls')
    .select('calls')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  expect(row.calls).toBe(2)
})
