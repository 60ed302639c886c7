import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditFilter, type AuditScope, readEntries } from '../../src/domain/audit/audit-store.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { crowd } from '../support/crowd.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** How the trail is searched, among the entries of a thousand tenants and with statistics that know of them. */

let tested: TestContext
let watch: ReturnType<typeof watchStatements>
const entries = 50_000
const { firstId } = crowd
const aRequest = '00000000-0000-4000-8000-000000000007'

beforeAll(async () => {
  watch = watchStatements()
  tested = await createTestContext('crowd')
  await tested.database.query(
    `insert into audit_entries (at, kind, operation, what, outcome, caller, user_id, client_id, account_id, app_id, company_id,
       integration_id, record_type, record_id, request_id, mac, block)
     select now() - make_interval(secs => $1::int - n),
       (array['change', 'change', 'change', 'sign_in', 'personal_data'])[1 + n % 5], 'operation' || n % 100, 'What', 'done', 'user',
       $2::bigint + n % 1000, n % 1000, $2::bigint + n % 1000, $2::bigint + n % 1000, $2::bigint + n % 1000,
       $2::bigint + n % 1000, 'account', (n % 5000)::text,
       case when n = 7 then $3::uuid else gen_random_uuid() end, '\\x00', 1 + n / 500
     from generate_series(1, $1::int) n`,
    [entries, firstId, aRequest],
  )
  await tested.database.query('analyze audit_entries')
})
afterAll(async () => {
  watch.stop()
  await tested.close()
})

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Entries that were looked at, whether they were wanted or not. */
const lookedAt = (node: Node): number =>
  (node['Relation Name'] === 'audit_entries'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), 0)

const limit = 51
const company: AuditScope = { companyId: firstId + 7 }
const everybody: AuditScope = { all: true }

test.each<[string, AuditScope, AuditFilter, number]>([
  ['the newest of a company', company, {}, limit],
  ['the newest of everybody', everybody, {}, limit],
  ['of one user', { userId: firstId + 7 }, {}, limit],
  ['of one app', { appId: firstId + 7 }, {}, limit],
  ['a day of a company', company, { from: new Date(Date.now() - 86_400_000).toISOString() }, limit],
  ['a record of a company', company, { record_type: 'account', record_id: '7' }, limit],
  ['one request, of everybody', everybody, { request_id: aRequest }, 1],
  ['one request, of a company', company, { request_id: aRequest }, 1],
  ['a shop, of everybody', everybody, { integration_id: firstId + 7 }, limit],
  ['an account, of everybody', everybody, { account_id: firstId + 7 }, limit],
  ['a program, of everybody', everybody, { client_id: 7 }, limit],
  ['a record, of everybody', everybody, { record_type: 'account', record_id: '7' }, limit],
  // Of one company all there is may be gone through, and no other.
  ['sign-ins of a company', company, { kind: 'sign_in' }, entries / 1000],
  ['a shop that was never heard of, of everybody', everybody, { integration_id: 3 }, 0],
])('%s is found without looking at much else', async (_, scope, filter, most) => {
  const { sent } = await watch.during(() => readEntries(tested.context.db, scope, { filter, after: null, limit }))
  const [search] = sent.filter(({ text }) => text.includes('from audit_entries'))
  const { text, values } = search ?? expect.fail()
  const [row] = await tested.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) ${text}`,
    [...values],
  )
  const [{ Plan: plan }] = row?.['QUERY PLAN'] ?? expect.fail()
  expect(lookedAt(plan)).toBeLessThanOrEqual(most)
})
