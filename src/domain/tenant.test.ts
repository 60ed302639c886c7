import { describe, expect, test } from 'vitest'
import { owns } from './tenant.ts'

const user = { userId: 1, companyId: 7, admin: false }
const alone = { ...user, companyId: null }

describe('whose a record is', () => {
  test.each([
    ['of a company that one has left, though one made it', user, { user_id: 1, company_id: 8 }, false],
    ['of a company that one has left for none', alone, { user_id: 1, company_id: 7 }, false],
    ['of oneself', user, { user_id: 1, company_id: null }, true],
    ['of a colleague', user, { user_id: 2, company_id: 7 }, true],
    ['of the company alone', user, { user_id: null, company_id: 7 }, true],
    ['of another company', user, { user_id: 2, company_id: 8 }, false],
    ['of somebody without a company', user, { user_id: 2, company_id: null }, false],
    ['of nobody', user, { user_id: null, company_id: null }, false],
    ['of oneself, without a company', alone, { user_id: 1, company_id: null }, true],
    ['of another without a company', alone, { user_id: 2, company_id: null }, false],
    ['of a company that one is not in', alone, { user_id: 2, company_id: 7 }, false],
    ['of nobody, without a company', alone, { user_id: null, company_id: null }, false],
    ['of anybody, for an admin', { ...alone, admin: true }, { user_id: 2, company_id: 8 }, true],
  ])('one %s', (_, tenant, record, expected) => {
    expect(owns(tenant, record)).toBe(expected)
  })
})

describe('where single apps have roles of their own', () => {
  const mine = { user_id: 2, company_id: 7 }
  test.each([
    ['only that one is reached', { everywhere: false, apps: [5] }, [true, false, false]],
    ['all but that one are reached', { everywhere: true, apps: [5] }, [false, true, true]],
  ])('%s', (_, reach, expected) => {
    expect([5, 6, null].map((app) => owns({ ...user, reach }, mine, app))).toEqual(expected)
  })
})
