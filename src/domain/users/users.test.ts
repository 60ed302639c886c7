import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { actorFor, faultOf, logIn, makeClient, makeCompany, makeUser } from '../../../test/support/identity.ts'
import type { Context } from '../context.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { updateUser } from './update-user.ts'
import { operator, type User } from './user.ts'
import { findUser, listUsers } from './user-store.ts'

let database: TestContext
let context: Context
let company: number
let admin: User

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  company = await makeCompany(context)
  admin = await makeUser(context, { roles: ['admin'] })
})

afterAll(() => database.close())

const newUser = (more: object = {}) => ({
  name: 'Grace',
  email: `${crypto.randomUUID()}@example.com`,
  password: 'a long password',
  ...more,
})

describe('creating a user', () => {
  test('the answer shows effective permissions, of the role and direct', async () => {
    const user = await createUser(context, operator, newUser({ roles: ['viewer'], permissions: ['create-order'] }))
    expect(user.roles).toEqual(['viewer'])
    expect(user.permissions).toEqual([
      'create-order',
      'read-client',
      'read-integration',
      'read-order',
      'read-schedule',
      'read-user',
    ])
    expect(user.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  test('a permission one does not hold cannot be given', async () => {
    const actor = actorFor(await makeUser(context, { company_id: company, permissions: ['create-user', 'read-order'] }))
    const fault = await faultOf(createUser(context, actor, newUser({ permissions: ['read-order', 'delete-order'] })))
    expect(fault.kind).toBe('invalid')
    expect(fault.errors).toEqual({ 'permissions.1': ['The selected permissions.1 is invalid.'] })
  })

  test('a role that allows more than one may is as invalid as one that does not exist', async () => {
    const actor = actorFor(await makeUser(context, { company_id: company, permissions: ['create-user'] }))
    const fault = await faultOf(createUser(context, actor, newUser({ roles: ['viewer', 'nonsense', 'admin'] })))
    expect(Object.keys(fault.errors ?? {})).toEqual(['roles.0', 'roles.1', 'roles.2'])
  })

  test('only an admin makes admins, even if somebody else holds every permission', async () => {
    const manager = actorFor(await makeUser(context, { company_id: company, roles: ['manager'] }))
    const fault = await faultOf(createUser(context, manager, newUser({ roles: ['admin'] })))
    expect(fault.errors).toEqual({ 'roles.0': ['The selected roles.0 is invalid.'] })
    expect((await createUser(context, manager, newUser({ roles: ['manager', 'viewer'] }))).roles).toHaveLength(2)
    expect((await createUser(context, actorFor(admin), newUser({ roles: ['admin'] }))).roles).toEqual(['admin'])
  })

  test('the company is the own one and no other', async () => {
    const manager = actorFor(await makeUser(context, { company_id: company, roles: ['manager'] }))
    expect((await createUser(context, manager, newUser())).company_id).toBe(company)
    expect((await createUser(context, manager, newUser({ company_id: null }))).company_id).toBe(company)
    const other = await makeCompany(context)
    const fault = await faultOf(createUser(context, manager, newUser({ company_id: other })))
    expect(fault.errors).toEqual({ company_id: ['The selected company id is invalid.'] })
    expect((await createUser(context, actorFor(admin), newUser({ company_id: other }))).company_id).toBe(other)
    const missing = await faultOf(createUser(context, actorFor(admin), newUser({ company_id: 999_999 })))
    expect(missing.errors).toEqual({ company_id: ['The selected company id is invalid.'] })
  })

  test.each(['12345678', 'password', 'aaaaaaaa'])('the password %s is refused, now and later', async (weak) => {
    const errors = { password: ['The password field must not be easy to guess.'] }
    expect((await faultOf(createUser(context, operator, newUser({ password: weak })))).errors).toEqual(errors)
    const { id } = await makeUser(context)
    const update = updateUser(context, operator, { id, changes: { password: weak } })
    expect((await faultOf(update)).errors).toEqual(errors)
  })

  test('an address is taken however its letters are composed', async () => {
    await createUser(context, operator, newUser({ email: 'ren\u00e9e@example.com' }))
    const fault = await faultOf(createUser(context, operator, newUser({ email: 'rene\u0301e@example.com' })))
    expect(fault.errors).toEqual({ email: ['The email has already been taken.'] })
  })

  test('an address is taken in any case, and free again after a deletion', async () => {
    const first = await createUser(context, operator, newUser({ email: 'Grace@Example.com' }))
    const fault = await faultOf(createUser(context, operator, newUser({ email: 'grace@example.COM' })))
    expect(fault.errors).toEqual({ email: ['The email has already been taken.'] })
    await deleteUser(context, operator, first.id)
    expect((await createUser(context, operator, newUser({ email: 'grace@example.com' }))).id).not.toBe(first.id)
  })

  test('of ten parallel creations with one address one succeeds', async () => {
    const email = 'race@example.com'
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => createUser(context, operator, newUser({ email }))),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  test('somebody without a company sees whom they made', async () => {
    const loner = actorFor(await makeUser(context, { roles: ['manager'] }))
    const made = await createUser(context, loner, newUser())
    expect((await findUser(context.db, loner, made.id)).id).toBe(made.id)
    const page = await listUsers(context.reader, loner, { page: 1, perPage: 15, filter: {}, sort: [] })
    expect(page.rows.map((user) => user.id)).toEqual([loner.userId, made.id])
  })
})

describe('reaching a user', () => {
  test('a user of another company is forbidden, one that does not exist is not found', async () => {
    const manager = actorFor(await makeUser(context, { company_id: company, roles: ['manager'] }))
    const stranger = await makeUser(context, { company_id: await makeCompany(context) })
    expect((await faultOf(findUser(context.db, manager, stranger.id))).kind).toBe('forbidden')
    expect((await faultOf(findUser(context.db, manager, 999_999))).kind).toBe('not_found')
    const change = { id: stranger.id, changes: { name: 'x' } }
    expect((await faultOf(updateUser(context, manager, change))).kind).toBe('forbidden')
    expect((await faultOf(deleteUser(context, manager, stranger.id))).kind).toBe('forbidden')
  })

  test('a colleague who may do more is out of reach', async () => {
    const clerk = actorFor(
      await makeUser(context, { company_id: company, permissions: ['update-user', 'delete-user'] }),
    )
    const manager = await makeUser(context, { company_id: company, roles: ['manager'] })
    const strip = { id: manager.id, changes: { roles: [], permissions: [] } }
    expect((await faultOf(updateUser(context, clerk, strip))).kind).toBe('forbidden')
    const takeOver = { id: manager.id, changes: { password: 'mine now, thanks' } }
    expect((await faultOf(updateUser(context, clerk, takeOver))).kind).toBe('forbidden')
    expect((await faultOf(deleteUser(context, clerk, manager.id))).kind).toBe('forbidden')
  })

  test('an admin in the same company is out of reach of a manager', async () => {
    const boss = await makeUser(context, { company_id: company, roles: ['admin'] })
    const manager = actorFor(await makeUser(context, { company_id: company, roles: ['manager'] }))
    const change = { id: boss.id, changes: { name: 'x' } }
    expect((await faultOf(updateUser(context, manager, change))).kind).toBe('forbidden')
    expect((await faultOf(deleteUser(context, manager, boss.id))).kind).toBe('forbidden')
  })
})

describe('changing a user', () => {
  test('nobody raises themselves', async () => {
    const clerk = await makeUser(context, { company_id: company, permissions: ['update-user'] })
    const changes = { roles: ['manager'], permissions: ['update-user', 'delete-user'] }
    const fault = await faultOf(updateUser(context, actorFor(clerk), { id: clerk.id, changes }))
    expect(Object.keys(fault.errors ?? {})).toEqual(['roles.0', 'permissions.1'])
  })

  test('what is not named stays, and writing back what was read changes nothing', async () => {
    const user = await makeUser(context, { company_id: company, roles: ['viewer'], permissions: ['create-order'] })
    const written = await updateUser(context, operator, {
      id: user.id,
      changes: { name: 'New', roles: user.roles, permissions: user.permissions },
    })
    expect(written.permissions).toEqual(user.permissions)
    const demoted = await updateUser(context, operator, { id: user.id, changes: { roles: [] } })
    expect(demoted).toMatchObject({ name: 'New', email: user.email, roles: [], permissions: ['create-order'] })
  })

  test('a user cannot be moved to another company by anybody but an admin', async () => {
    const manager = actorFor(await makeUser(context, { company_id: company, roles: ['manager'] }))
    const colleague = await makeUser(context, { company_id: company })
    const other = await makeCompany(context)
    const move = { id: colleague.id, changes: { company_id: other } }
    expect((await faultOf(updateUser(context, manager, move))).errors).toHaveProperty('company_id')
    expect((await updateUser(context, actorFor(admin), move)).company_id).toBe(other)
  })

  test('another address is not verified because the one before was', async () => {
    const { id, email } = await makeUser(context)
    await database.database.query('update users set email_verified_at = now() where id = $1', [id])
    const to = (address: string) => updateUser(context, operator, { id, changes: { email: address } })
    expect((await to(email.toUpperCase())).email_verified_at).not.toBeNull()
    expect((await to(newUser().email)).email_verified_at).toBeNull()
  })

  test('a taken address is refused', async () => {
    const user = await makeUser(context)
    const fault = await faultOf(updateUser(context, operator, { id: user.id, changes: { email: admin.email } }))
    expect(fault.errors).toEqual({ email: ['The email has already been taken.'] })
  })

  test.each([
    ['a new password', { password: 'another password' }],
    ['deactivation', { active: false }],
  ])('%s ends all tokens', async (_, changes) => {
    const user = await makeUser(context)
    const client = await makeClient(context, { grant_types: ['password'] })
    await logIn(context, client, user)
    await updateUser(context, operator, { id: user.id, changes })
    const [row] = await database.database.query<{ alive: number }>(
      `select (select count(*) from access_tokens where user_id = $1 and revoked_at is null)
         + (select count(*) from refresh_tokens where user_id = $1 and revoked_at is null) as alive`,
      [user.id],
    )
    expect(row?.alive).toBe(0)
  })
})

describe('the last active admin', () => {
  test('cannot be deleted, demoted or deactivated, not even by two admins at once', async () => {
    const { context, close } = await createTestContext()
    const one = await makeUser(context, { roles: ['admin'] })
    const change = (user: User, changes: object) => updateUser(context, operator, { id: user.id, changes })
    expect((await faultOf(deleteUser(context, operator, one.id))).kind).toBe('invalid')
    expect((await faultOf(change(one, { roles: ['viewer'] }))).errors).toHaveProperty('roles')
    expect((await faultOf(change(one, { active: false }))).errors).toHaveProperty('active')

    const two = await makeUser(context, { roles: ['admin'] })
    const outcomes = await Promise.allSettled([deleteUser(context, actorFor(two), one.id), change(two, { roles: [] })])
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    await close()
  })
})

describe('the total of a list', () => {
  const counter = async (scope: number) => {
    const rows = await database.database.query<{ n: number }>(
      `select n from list_counters where list = 'users' and scope = $1`,
      [scope],
    )
    return rows[0]?.n ?? 0
  }

  test('follows creation, deletion, undeletion and moves', async () => {
    const [here, there] = [await makeCompany(context), await makeCompany(context)]
    const all = await counter(0)
    const user = await makeUser(context, { company_id: here })
    await makeUser(context, { company_id: here })
    expect([await counter(here), await counter(there), await counter(0)]).toEqual([2, 0, all + 2])
    await updateUser(context, operator, { id: user.id, changes: { company_id: there } })
    expect([await counter(here), await counter(there), await counter(0)]).toEqual([1, 1, all + 2])
    await deleteUser(context, operator, user.id)
    expect([await counter(here), await counter(there), await counter(0)]).toEqual([1, 0, all + 1])
    await database.database.query('update users set deleted_at = null where id = $1', [user.id])
    expect([await counter(there), await counter(0)]).toEqual([1, all + 2])
  })

  test('stays exact when many rows come in one statement and many transactions at once', async () => {
    const [here, there] = [await makeCompany(context), await makeCompany(context)]
    const insert = (from: number, to: number) =>
      database.database.query(
        `insert into users (name, email, email_folded, company_id)
         select 'Bulk', 'bulk-' || n || '@example.com', 'bulk-' || n || '@example.com', case when n % 2 = 0 then $3::bigint else $4 end
         from generate_series($1::int, $2::int) n`,
        [from, to, here, there],
      )
    await Promise.all(Array.from({ length: 8 }, (_, index) => insert(index * 1000, index * 1000 + 499)))
    expect([await counter(here), await counter(there)]).toEqual([2000, 2000])
    await database.database.query('delete from users where company_id = $1', [here])
    expect(await counter(here)).toBe(0)
    const [row] = await database.database.query<{ n: number }>(
      'select count(*) as n from users where deleted_at is null',
    )
    expect(await counter(0)).toBe(row?.n)
  })

  test('is what a page shows', async () => {
    const home = await makeCompany(context)
    const user = actorFor(await makeUser(context, { company_id: home }))
    await makeUser(context, { company_id: home })
    const query = { page: 1, perPage: 1, filter: {}, sort: [{ field: 'name', descending: true }] }
    const page = await listUsers(context.reader, user, query)
    expect(page.total).toBe(2)
    expect(page.rows).toHaveLength(1)
    const all = await listUsers(context.reader, actorFor(admin), query)
    expect(all.total).toBe(await counter(0))
  })
})
