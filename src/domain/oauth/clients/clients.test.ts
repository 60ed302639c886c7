import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { actorFor, askToken, faultOf, makeApp, makeCompany, makeUser } from '../../../../test/support/identity.ts'
import { digest } from '../../../lib/secret.ts'
import { paginate } from '../../../runtime/db/lists/paginate.ts'
import type { Context } from '../../context.ts'
import type { Client } from './client.ts'
import { clientList, clientScope, findClient } from './client-store.ts'
import { createClient } from './create-client.ts'
import { revokeClient } from './revoke-client.ts'
import { updateClient } from './update-client.ts'

type Tenant = ReturnType<typeof actorFor>

let database: TestContext
let context: Context
let owner: Tenant
let colleague: Tenant
let stranger: Tenant
let admin: Tenant

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  const company = await makeCompany(context)
  owner = actorFor(await makeUser(context, { company_id: company }))
  colleague = actorFor(await makeUser(context, { company_id: company }))
  stranger = actorFor(await makeUser(context, { company_id: await makeCompany(context) }))
  admin = actorFor(await makeUser(context, { roles: ['admin'] }))
})

afterAll(() => database.close())

describe('creating a client', () => {
  test('shows 43 letters and digits once and keeps their digest', async () => {
    const { client, secret } = await createClient(context, owner, { name: 'Mine' })
    expect(secret).toMatch(/^[A-Za-z0-9]{43}$/)
    expect(client).toMatchObject({ user_id: owner.userId, company_id: owner.companyId, app_id: null, scopes: null })
    expect(client.grant_types).toEqual(['client_credentials'])
    expect(client).not.toHaveProperty('secret_hash')
    const [row] = await database.database.query<{ h: Buffer }>(
      'select secret_hash as h from oauth_clients where id = $1',
      [client.id],
    )
    expect(row?.h).toEqual(digest(secret ?? ''))
  })

  test('without confidentiality there is no secret', async () => {
    expect((await createClient(context, owner, { name: 'Open', confidential: false })).secret).toBeNull()
  })

  test('grants and scopes must be known, and the app one’s own', async () => {
    const app = await makeApp(context, { user_id: stranger.userId })
    const input = { name: 'x', app_id: app, grant_types: ['password', 'implicit'], scopes: ['nope', '*'] }
    const fault = await faultOf(createClient(context, owner, input))
    expect(fault.errors).toEqual({
      app_id: ['The selected app id is invalid.'],
      'grant_types.1': ['The selected grant_types.1 is invalid.'],
      'scopes.0': ['The selected scopes.0 is invalid.'],
    })
    const ours = await makeApp(context, { user_id: colleague.userId, company_id: colleague.companyId ?? 0 })
    expect((await createClient(context, owner, { name: 'x', app_id: ours })).client.app_id).toBe(ours)
  })
})

describe('reaching a client', () => {
  test('the owner, colleagues and admins do; a stranger is forbidden', async () => {
    const { client } = await createClient(context, owner, { name: 'Shared' })
    for (const tenant of [owner, colleague, admin]) {
      expect((await findClient(context.db, tenant, client.id)).id).toBe(client.id)
    }
    expect((await faultOf(findClient(context.db, stranger, client.id))).kind).toBe('forbidden')
    const change = { id: client.id, changes: { name: 'x' } }
    expect((await faultOf(updateClient(context, stranger, change))).kind).toBe('forbidden')
    expect((await faultOf(revokeClient(context, stranger, client.id))).kind).toBe('forbidden')
    expect((await faultOf(findClient(context.db, stranger, 999_999))).kind).toBe('not_found')
  })

  test('lists hold what one reaches, with the right total', async () => {
    const page = (tenant: Tenant) =>
      paginate<Client>(context.reader, clientList, clientScope(tenant), { page: 1, perPage: 100, filter: {}, sort: [] })
    await createClient(context, stranger, { name: 'Theirs' })
    expect((await page(stranger)).total).toBe(1)
    expect((await page(colleague)).rows.every((client) => client.company_id === owner.companyId)).toBe(true)
    const all = await page(admin)
    expect(all.total).toBe(all.rows.length)
  })
})

describe('changing a client', () => {
  test('what is not named stays', async () => {
    const { client } = await createClient(context, owner, { name: 'Before', scopes: ['app:flow-read'] })
    const changed = await updateClient(context, colleague, { id: client.id, changes: { name: 'After' } })
    expect(changed).toMatchObject({ name: 'After', scopes: ['app:flow-read'], grant_types: ['client_credentials'] })
    const open = await updateClient(context, owner, { id: client.id, changes: { scopes: null } })
    expect(open.scopes).toBeNull()
  })

  test('it cannot be bound to somebody else’s app', async () => {
    const { client } = await createClient(context, owner, { name: 'x' })
    const app = await makeApp(context, { user_id: stranger.userId })
    const fault = await faultOf(updateClient(context, owner, { id: client.id, changes: { app_id: app } }))
    expect(fault.errors).toEqual({ app_id: ['The selected app id is invalid.'] })
  })
})

describe('deleting a client', () => {
  test('ends its tokens and itself; after that it is not found', async () => {
    const { client, secret } = await createClient(context, owner, { name: 'x' })
    const body = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret }
    await askToken(context, body)
    await revokeClient(context, owner, client.id)
    expect((await faultOf(askToken(context, body))).oauth?.error).toBe('invalid_client')
    expect((await faultOf(revokeClient(context, owner, client.id))).kind).toBe('not_found')
    expect((await faultOf(findClient(context.db, owner, client.id))).kind).toBe('not_found')
    const [row] = await database.database.query<{ n: number }>(
      'select count(*) as n from access_tokens where client_id = $1 and revoked_at is null',
      [client.id],
    )
    expect(row?.n).toBe(0)
  })
})
