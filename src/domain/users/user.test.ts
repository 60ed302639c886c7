import { describe, expect, test } from 'vitest'
import { type Permission, permissions } from '../permissions.ts'
import {
  type Actor,
  directPermissions,
  grantErrors,
  type InstanceRole,
  isAdmin,
  operator,
  outranks,
  seesUser,
} from './user.ts'

const may = (...names: Permission[]): ReadonlySet<Permission> => new Set(names)
const colleague: Actor = {
  userId: 1,
  companyId: 7,
  admin: false,
  role: null,
  rights: new Set(),
  permissions: may('read-user', 'update-user'),
}
const alone: Actor = { ...colleague, companyId: null }
const admin: Actor = { ...alone, admin: true, permissions: may() }

describe('a user is seen', () => {
  test.each([
    ['by herself', colleague, { id: 1, company_id: 9, created_by: null }, true],
    ['by a colleague', colleague, { id: 2, company_id: 7, created_by: null }, true],
    ['by nobody of another company', colleague, { id: 2, company_id: 8, created_by: null }, false],
    ['by nobody of another company, even by who made her', colleague, { id: 2, company_id: 8, created_by: 1 }, false],
    ['by nobody of a company, where she is in none', colleague, { id: 2, company_id: null, created_by: 1 }, false],
    [
      'by who made her, where that is somebody without a company',
      alone,
      { id: 2, company_id: null, created_by: 1 },
      true,
    ],
    ['by nobody who made her, once she works for a company', alone, { id: 2, company_id: 8, created_by: 1 }, false],
    ['by nobody else without a company', alone, { id: 2, company_id: null, created_by: 3 }, false],
    ['by nobody, where nobody made her', alone, { id: 2, company_id: null, created_by: null }, false],
    ['by an admin', admin, { id: 2, company_id: 8, created_by: null }, true],
    ['by the operator', operator, { id: 2, company_id: 8, created_by: null }, true],
  ])('%s', (_, actor, user, seen) => {
    expect(seesUser(actor, user)).toBe(seen)
  })

  test('by nobody who is nobody, where nobody made her', () => {
    const nobody = { ...alone, userId: null }
    expect(seesUser(nobody, { id: 2, company_id: null, created_by: null })).toBe(false)
  })
})

test('the operator may do everything', () => {
  expect(operator).toMatchObject({ userId: null, companyId: null, admin: true })
  expect([...operator.permissions]).toEqual([...permissions])
})

describe('who may do what the actor may not is out of reach', () => {
  test.each([
    ['with nothing', { roles: [], permissions: [], company_role: null }, false],
    ['with what the actor has', { roles: ['editor'], permissions: ['read-user'], company_role: null }, false],
    ['with one thing more', { roles: [], permissions: ['read-user', 'delete-user'], company_role: null }, true],
    ['an admin', { roles: ['editor', 'admin'], permissions: [], company_role: null }, true],
    ['an owner, whatever the list says', { roles: [], permissions: [], company_role: 'owner' }, true],
  ] as const)('%s', (_, user, out) => {
    const copy = { ...user, roles: [...user.roles], permissions: [...user.permissions] }
    expect(outranks(copy, colleague)).toBe(out)
    expect(outranks(copy, admin)).toBe(false)
  })

  test('an admin is known by the role', () => {
    expect([{ roles: ['admin'] }, { roles: ['administrator'] }, { roles: [] }].map(isAdmin)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('what an actor may give', () => {
  const roles: InstanceRole[] = [
    { id: 1, name: 'admin', permissions: [] },
    { id: 2, name: 'reader', permissions: ['read-user'] },
    { id: 3, name: 'cleaner', permissions: ['read-user', 'delete-user'] },
    { id: 4, name: 'guest', permissions: [] },
  ]
  const refused = (
    actor: Actor,
    wanted: Parameters<typeof grantErrors>[1],
    target: { roles: string[]; permissions: Permission[] } | null = null,
  ) => grantErrors(actor, wanted, { roles, target })

  test('are roles that allow no more than the actor may', () => {
    expect(refused(colleague, { roles: ['reader', 'guest'] })).toEqual({})
    expect(refused(colleague, { roles: ['reader', 'cleaner', 'admin', 'unheard-of'] })).toEqual({
      'roles.1': ['The selected roles.1 is invalid.'],
      'roles.2': ['The selected roles.2 is invalid.'],
      'roles.3': ['The selected roles.3 is invalid.'],
    })
  })

  test('are permissions that the actor has', () => {
    expect(refused(colleague, { permissions: ['read-user', 'update-user'] })).toEqual({})
    expect(refused(colleague, { permissions: ['delete-user', 'read-user', 'fly'] })).toEqual({
      'permissions.0': ['The selected permissions.0 is invalid.'],
      'permissions.2': ['The selected permissions.2 is invalid.'],
    })
  })

  test('is anything that there is, for an admin', () => {
    expect(refused(admin, { roles: ['admin', 'cleaner'], permissions: ['delete-user'] })).toEqual({})
    expect(Object.keys(refused(admin, { roles: ['unheard-of'], permissions: ['fly'] }))).toEqual([
      'roles.0',
      'permissions.0',
    ])
  })

  test('is what the user has already, too', () => {
    const target = { roles: ['cleaner', 'unheard-of'], permissions: ['delete-user'] satisfies Permission[] }
    expect(refused(colleague, { roles: ['cleaner'], permissions: ['delete-user'] }, target)).toEqual({})
    expect(
      Object.keys(refused(colleague, { roles: ['admin', 'unheard-of'], permissions: ['delete-order'] }, target)),
    ).toEqual(['roles.0', 'roles.1', 'permissions.0'])
  })

  test('is nothing, where nothing is wanted', () => {
    expect(refused(colleague, {})).toEqual({})
  })
})

test('what a role gives is not stored beside it, nor anything twice, nor what is no permission', () => {
  const roles: InstanceRole[] = [{ id: 2, name: 'reader', permissions: ['read-user'] }]
  const wanted = ['read-user', 'update-user', 'update-user', 'fly']
  expect(directPermissions(wanted, roles)).toEqual(['update-user'])
  expect(directPermissions(wanted, [])).toEqual(['read-user', 'update-user'])
})
