import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeApp, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { paginate } from '../../runtime/db/lists/paginate.ts'
import type { UserTenant } from '../tenant.ts'
import {
  accountList,
  accountScope,
  accountsOfUserScope,
  findAccount,
  findAccountByRemoteId,
  findAccountOfUser,
} from './account-store.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount } from './delete-account.ts'
import { updateAccount } from './update-account.ts'

let it: TestContext
let user: UserTenant
let ours: { appId: number }
let theirs: { appId: number }

beforeAll(async () => {
  it = await createTestContext()
  const companyId = await makeCompany(it.context)
  const { id } = await makeUser(it.context, { company_id: companyId })
  user = { userId: id, companyId, admin: false }
  ours = { appId: await makeApp(it.context, { user_id: id, company_id: companyId }) }
  theirs = { appId: await makeApp(it.context) }
})
afterAll(() => it.close())

const taken = { remote_id: ['The remote id has already been taken.'] }
const noCascade = async () => undefined
const query = { page: 1, perPage: 10_000, filter: {}, sort: [] }

describe('the name that the app gives', () => {
  test('is unique in the app and free in others', async () => {
    const account = await createAccount(it.context, ours, { remote_id: 'same' })
    expect(account).toMatchObject({ app_id: ours.appId, company_id: user.companyId, active: true, settings: {} })
    expect((await faultOf(createAccount(it.context, ours, { remote_id: 'same' }))).errors).toEqual(taken)
    const other = await createAccount(it.context, theirs, { remote_id: 'same' })
    expect(other.id).not.toBe(account.id)
    expect((await findAccountByRemoteId(it.context.db, ours, 'same')).id).toBe(account.id)
  })

  test('of several at once exactly one is made', async () => {
    const attempts = Array.from({ length: 8 }, () => createAccount(it.context, ours, { remote_id: 'race' }))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  test('cannot be changed to one that is taken, and can be kept', async () => {
    const account = await createAccount(it.context, ours, { remote_id: 'mine' })
    await createAccount(it.context, ours, { remote_id: 'yours' })
    const change = (remote_id: string) => updateAccount(it.context, ours, { id: account.id, changes: { remote_id } })
    expect((await faultOf(change('yours'))).errors).toEqual(taken)
    expect((await change('mine')).remote_id).toBe('mine')
    expect((await change('mine too')).remote_id).toBe('mine too')
  })

  test('is free again once the account is gone', async () => {
    const account = await createAccount(it.context, ours, { remote_id: 'reborn' })
    await deleteAccount(it.context, ours, { id: account.id, cascade: noCascade })
    expect((await faultOf(findAccount(it.context.db, ours, account.id))).kind).toBe('not_found')
    expect((await createAccount(it.context, ours, { remote_id: 'reborn' })).id).not.toBe(account.id)
  })
})

describe('who reaches an account', () => {
  test('its app and the people of its app', async () => {
    const account = await createAccount(it.context, ours, { remote_id: 'seen' })
    const foreign = await createAccount(it.context, theirs, { remote_id: 'unseen' })
    expect((await findAccountOfUser(it.context.db, user, account.id)).id).toBe(account.id)
    expect((await faultOf(findAccount(it.context.db, ours, foreign.id))).kind).toBe('forbidden')
    expect((await faultOf(findAccountOfUser(it.context.db, user, foreign.id))).kind).toBe('forbidden')
    expect((await faultOf(findAccountByRemoteId(it.context.db, ours, 'unseen'))).kind).toBe('not_found')
    const change = updateAccount(it.context, ours, { id: foreign.id, changes: { name: 'x' } })
    expect((await faultOf(change)).kind).toBe('forbidden')
  })

  test('totals are those of the rows, for apps, users and admins', async () => {
    const admin = { userId: 0, companyId: null, admin: true }
    for (const scope of [accountScope(ours), accountsOfUserScope(user), accountsOfUserScope(admin)]) {
      const { rows, total } = await paginate(it.context.reader, accountList, scope, query)
      expect(rows.length).toBe(total)
      expect(total).toBeGreaterThan(0)
    }
  })
})
