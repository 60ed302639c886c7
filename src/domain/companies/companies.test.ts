import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { crowd } from '../../../test/support/crowd.ts'
import { actorFor, faultOf, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { paginate } from '../../runtime/db/lists/paginate.ts'
import type { Context } from '../context.ts'
import { operator } from '../users/user.ts'
import { findUser } from '../users/user-store.ts'
import type { Company } from './company.ts'
import { companyList, companyScope, findCompany } from './company-store.ts'
import { createCompany } from './create-company.ts'
import { updateCompany } from './update-company.ts'

let database: TestContext
let context: Context

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
})

afterAll(() => database.close())

const list = (tenant: Parameters<typeof companyScope>[0]) =>
  paginate<Company>(context.reader, companyList, companyScope(tenant), { page: 1, perPage: 1000, filter: {}, sort: [] })

test('who has no company joins the one they make', async () => {
  const founder = actorFor(await makeUser(context))
  const company = await createCompany(context, founder, { name: 'First', country: 'GB' })
  expect(company).toMatchObject({ name: 'First', country: 'GB', email: null, active: true, user_id: founder.userId })
  const owner = await findUser(context.db, operator, founder.userId)
  expect([owner.company_id, owner.company_role]).toEqual([company.id, 'owner'])
})

test('who has a company stays there and sees both', async () => {
  const home = await makeCompany(context)
  const user = actorFor(await makeUser(context, { company_id: home }))
  const second = await createCompany(context, user, { name: 'Second' })
  expect((await findUser(context.db, operator, user.userId)).company_id).toBe(home)
  expect((await list(user)).rows.map((company) => company.id)).toEqual([home, second.id])
})

test('a company of others is forbidden, a missing one not found; an admin sees all', async () => {
  const other = await makeCompany(context)
  const user = actorFor(await makeUser(context))
  const admin = actorFor(await makeUser(context, { roles: ['admin'] }))
  expect((await faultOf(findCompany(context.db, user, other))).kind).toBe('forbidden')
  const change = { id: other, changes: { name: 'Mine' } }
  expect((await faultOf(updateCompany(context, user, change))).kind).toBe('forbidden')
  expect((await faultOf(findCompany(context.db, user, 999_999))).kind).toBe('not_found')
  expect((await updateCompany(context, admin, change)).name).toBe('Mine')
  const all = await list(admin)
  expect(all.total).toBe(all.rows.length)
  expect(all.total).toBeGreaterThan(crowd.apps)
  expect(all.rows.map(({ id }) => id)).toContain(other)
})

test('only what a caller may set is written', async () => {
  const user = actorFor(await makeUser(context))
  const smuggled = { name: 'x', user_id: 1, id: 77, deleted_at: '2026-01-01T00:00:00Z' }
  const company = await createCompany(context, user, smuggled)
  expect(company.user_id).toBe(user.userId)
  const owner = actorFor(await findUser(context.db, operator, user.userId))
  expect((await updateCompany(context, owner, { id: company.id, changes: smuggled })).user_id).toBe(user.userId)
})
