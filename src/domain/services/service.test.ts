import { describe, expect, test } from 'vitest'
import { changesService, isBuiltIn, seesService, typePattern } from './service.ts'

const tenant = { userId: 1, companyId: 7, admin: false }
const admin = { ...tenant, userId: 9, companyId: null, admin: true }
const builtIn = { user_id: null, company_id: null, mutable: true }
const own = { user_id: 1, company_id: 7, mutable: true }
const ofColleague = { user_id: 2, company_id: 7, mutable: true }
const foreign = { user_id: 2, company_id: 8, mutable: true }

describe('a service', () => {
  test.each([
    ['that comes with us', builtIn, { builtIn: true, sees: true, changes: false, adminChanges: true }],
    ['of one’s own', own, { builtIn: false, sees: true, changes: true, adminChanges: true }],
    ['of a colleague', ofColleague, { builtIn: false, sees: true, changes: true, adminChanges: true }],
    [
      'of a company alone',
      { ...foreign, user_id: null },
      { builtIn: false, sees: false, changes: false, adminChanges: true },
    ],
    [
      'of somebody without a company',
      { ...foreign, company_id: null },
      { builtIn: false, sees: false, changes: false, adminChanges: true },
    ],
    ['of somebody else', foreign, { builtIn: false, sees: false, changes: false, adminChanges: true }],
    [
      'of one’s own that is fixed',
      { ...own, mutable: false },
      { builtIn: false, sees: true, changes: false, adminChanges: false },
    ],
    [
      'that comes with us and is fixed',
      { ...builtIn, mutable: false },
      { builtIn: true, sees: true, changes: false, adminChanges: true },
    ],
  ])('%s', (_, service, expected) => {
    expect({
      builtIn: isBuiltIn(service),
      sees: seesService(tenant, service),
      changes: changesService(tenant, service),
      adminChanges: changesService(admin, service),
    }).toEqual(expected)
  })

  test.each([
    ['acme', true],
    ['a', true],
    ['1a', true],
    ['acme-2_x', true],
    ['5', false],
    ['55', false],
    ['5-5', false],
    ['', false],
    ['-acme', false],
    ['_acme', false],
    ['Acme', false],
    ['acme shop', false],
    ['acme\n', false],
  ])('may have the type %j: %s', (type, fits) => {
    expect(new RegExp(typePattern).test(type)).toBe(fits)
  })
})
