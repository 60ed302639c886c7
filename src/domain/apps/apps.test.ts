import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { crowd } from '../../../test/support/crowd.ts'
import { askToken, faultOf, makeAccount, makeClient, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { paginate } from '../../runtime/db/lists/paginate.ts'
import type { UserTenant } from '../tenant.ts'
import type { App } from './app.ts'
import { appList, appScope, findApp, findMutableApp } from './app-store.ts'
import { createApp } from './create-app.ts'
import { deleteApp } from './delete-app.ts'
import { updateApp } from './update-app.ts'

let it: TestContext
let owner: UserTenant
let colleague: UserTenant
let stranger: UserTenant
const admin: UserTenant = { userId: 0, companyId: null, admin: true }

const tenant = async (companyId: number | null): Promise<UserTenant> => {
  const user = await makeUser(it.context, { company_id: companyId })
  return { userId: user.id, companyId, admin: false }
}

beforeAll(async () => {
  it = await createTestContext()
  const company = await makeCompany(it.context)
  owner = await tenant(company)
  colleague = await tenant(company)
  stranger = await tenant(null)
})
afterAll(() => it.close())

const list = async (who: UserTenant) => {
  const query = { page: 1, perPage: 1000, filter: {}, sort: [] }
  const { rows, total } = await paginate<App>(it.context.reader, appList, appScope(who), query)
  return { ids: rows.map((app) => app.id), total }
}

const noCascade = async () => undefined

describe('who reaches an app', () => {
  test('its maker, colleagues and admins; nobody else', async () => {
    const app = await createApp(it.context, owner, { name: 'Order manager' })
    expect(app).toMatchObject({ user_id: owner.userId, company_id: owner.companyId, active: true, mutable: true })
    expect((await findApp(it.context.db, colleague, app.id)).id).toBe(app.id)
    expect((await findApp(it.context.db, admin, app.id)).id).toBe(app.id)
    expect((await faultOf(findApp(it.context.db, stranger, app.id))).kind).toBe('forbidden')
    expect((await faultOf(findApp(it.context.db, owner, 999_999))).kind).toBe('not_found')
    expect((await list(colleague)).ids).toContain(app.id)
    expect(await list(stranger)).toEqual({ ids: [], total: 0 })
    const all = await list(admin)
    expect(all.total).toBe(all.ids.length)
    expect(all.total).toBeGreaterThan(crowd.apps)
    expect(all.ids).toContain(app.id)
  })

  test('an app that is not mutable is read, not changed', async () => {
    const app = await createApp(it.context, owner, { name: 'Fixed' })
    await it.context.db.updateTable('apps').set({ mutable: false }).where('id', '=', app.id).execute()
    expect((await findApp(it.context.db, owner, app.id)).mutable).toBe(false)
    expect((await faultOf(findMutableApp(it.context.db, owner, app.id))).kind).toBe('forbidden')
    const change = updateApp(it.context, owner, { id: app.id, changes: { name: 'x' } })
    expect((await faultOf(change)).kind).toBe('forbidden')
    const removal = deleteApp(it.context, owner, { id: app.id, cascade: noCascade })
    expect((await faultOf(removal)).kind).toBe('forbidden')
  })
})

describe('changes', () => {
  test('only what is given changes', async () => {
    const app = await createApp(it.context, owner, {
      name: 'A',
      description: 'first',
      return_urls: ['https://a.test/'],
    })
    const changed = await updateApp(it.context, owner, { id: app.id, changes: { name: 'B' } })
    expect(changed).toMatchObject({ name: 'B', description: 'first', return_urls: ['https://a.test/'] })
    expect(changed.updated_at > app.updated_at).toBe(true)
  })

  test('a removed app takes its tokens and what hangs on it along', async () => {
    const app = await createApp(it.context, owner, { name: 'Short-lived' })
    await makeAccount(it.context, app.id, 'm-1')
    const client = await makeClient(it.context, { app_id: app.id })
    await askToken(it.context, { grant_type: 'client_credentials', ...client })
    await askToken(it.context, { grant_type: 'client_credentials', ...client, account: 'm-1' })
    const cascaded: string[] = []
    const cascade = async () => {
      cascaded.push('done')
    }
    await deleteApp(it.context, owner, { id: app.id, cascade })
    const tokens = await it.context.db
      .selectFrom('access_tokens')
      .select('revoked_at')
      .where('client_id', '=', client.client_id)
      .execute()
    expect(tokens.map((token) => token.revoked_at !== null)).toEqual([true, true])
    expect(cascaded).toEqual(['done'])
    expect((await faultOf(findApp(it.context.db, owner, app.id))).kind).toBe('not_found')
    expect((await faultOf(deleteApp(it.context, owner, { id: app.id, cascade }))).kind).toBe('not_found')
  })

  test('nothing is removed when what hangs on it cannot be', async () => {
    const app = await createApp(it.context, owner, { name: 'Kept' })
    const cascade = () => Promise.reject(new Error('no'))
    await expect(deleteApp(it.context, owner, { id: app.id, cascade })).rejects.toThrow('no')
    expect((await findApp(it.context.db, owner, app.id)).name).toBe('Kept')
  })
})
