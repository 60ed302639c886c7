import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeAccount, makeApp } from '../../../test/support/identity.ts'
import { waitingForLocks } from '../../../test/support/just-before.ts'
import { until } from '../../../test/support/until.ts'
import { oauth2, typedKeys } from '../../commerce/connector/auth.ts'
import { connector } from '../../commerce/connector.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { object, text } from '../../lib/validation/fields.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deleteAccount } from '../accounts/delete-account.ts'
import { deleteApp } from '../apps/delete-app.ts'
import type { Context } from '../context.ts'
import { claimIntegration } from '../integrations/claim-integration.ts'
import { createIntegration } from '../integrations/create-integration.ts'
import { holdsCredentials } from '../integrations/credentials-store.ts'
import { moveIntegration } from '../integrations/move-integration.ts'
import { uninstallOfAccount } from '../integrations/uninstall-cascade.ts'
import { uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { savePlatformClient } from '../services/platform-client-store.ts'
import { readService } from '../services/service-store.ts'
import { endOfApp } from '../uninstall/end-of-app.ts'
import { operator } from '../users/user.ts'
import { completeAuthorization, completeInstall } from './complete-install.ts'
import { depart } from './departure.ts'
import { installIntegration } from './install-integration.ts'

/** What happens while a shop is asked whether it takes what we have. */
let meanwhile: () => Promise<unknown> = async () => undefined

const checkAccess = async () => {
  const happens = meanwhile
  meanwhile = async () => undefined
  await happens()
}

const common = {
  settings: object({}),
  remote: {
    origin: ({ shop }: { shop: string }) => `https://${shop}`,
    authenticate: (request: RemoteRequest) => request,
    budgets: { default: { capacity: 10, perSecond: 1 } },
    inProcess: async () => ({ status: 200, headers: {}, body: {} }),
  },
}
const credentials = object({ token: text() })

const typed = connector({ ...common, type: 'typed', name: 'Typed', auth: typedKeys({ credentials, checkAccess }) })
const platform = connector({
  ...common,
  type: 'platform',
  name: 'Platform',
  auth: oauth2({
    credentials,
    client: object({ client_id: text() }),
    pkce: false,
    scopes: [],
    authorizeUrl: ({ shop, state }) => `https://${shop}/authorize?state=${state}`,
    exchange: async () => ({ credentials: { token: 'right' }, expiresAt: null }),
    checkAccess,
  }),
})

let tested: TestContext
let context: Context
beforeAll(async () => {
  tested = await createTestContext()
  context = { ...tested.context, connectors: new Map([typed, platform].map((one) => [one.type, one])) }
  for (const type of ['typed', 'platform']) {
    await context.db.insertInto('services').values({ type, name: type, auth_type: 'oauth2' }).execute()
  }
})
afterAll(() => tested.close())

interface Place {
  app_id: number
  account_id: number
  user_id: null
  company_id: null
}

async function newPlace(): Promise<Place> {
  const appId = await makeApp(context)
  const accountId = await makeAccount(context, appId, 'merchant')
  const service = await readService(context.db, 'platform')
  await savePlatformClient(context.db, context.keys, { serviceId: service.id, appId: null }, { client_id: 'us' })
  return { app_id: appId, account_id: accountId, user_id: null, company_id: null }
}

const accountLeaves = ({ app_id: appId, account_id: id }: Place) =>
  deleteAccount(context, { appId }, { id, cascade: (trx) => uninstallOfAccount(trx, id) })
const appLeaves = ({ app_id: id }: Place) =>
  deleteApp(context, { ...operator, userId: 0 }, { id, cascade: (trx) => endOfApp(trx, id) })

async function install(
  place: Omit<Place, 'account_id'> & { account_id: number | null },
  type: string,
  keys: { token: string } | null = null,
) {
  const input = { name: 'Shop', shop: 'shop.example.com', credentials: keys }
  return await installIntegration(context, place, { service: await readService(context.db, type), input })
}

async function setOut(place: Place) {
  const { integration, authorizationUrl } = await install(place, 'platform')
  const state = new URL(await depart(context, authorizationUrl?.split('/').at(-1) ?? '', 'own')).searchParams.get(
    'state',
  )
  const back = { type: 'platform', query: { code: 'c', state: state ?? '' }, beginnerOf: () => ({ browser: 'own' }) }
  return { integration, comeBack: () => completeAuthorization(context, back) }
}

/** Neither connected nor on the way to it, and nothing is held that opens the shop. */
async function expectNothingOf(place: Place) {
  const rows = await context.db
    .selectFrom('integrations')
    .select(['id', 'status'])
    .where('app_id', '=', place.app_id)
    .where('status', '<>', 'UNINSTALLED')
    .execute()
  expect(rows).toEqual([])
  const all = await context.db.selectFrom('integrations').select('id').where('app_id', '=', place.app_id).execute()
  for (const { id } of all) expect(await holdsCredentials(context.db, id)).toBe(false)
}

for (const [who, leaves] of Object.entries({ account: accountLeaves, app: appLeaves })) {
  test(`keys are tried while the ${who} is removed: nothing is connected`, async () => {
    const place = await newPlace()
    meanwhile = () => leaves(place)
    expect((await faultOf(install(place, 'typed', { token: 'right' }))).kind).toBe('not_found')
    await expectNothingOf(place)
  })

  test(`a merchant comes back while the ${who} is removed: nothing is connected`, async () => {
    const place = await newPlace()
    const { comeBack } = await setOut(place)
    meanwhile = () => leaves(place)
    expect((await faultOf(comeBack())).kind).toBe('not_found')
    await expectNothingOf(place)
  })
}

test('what an account had is not taken up again once the account is removed', async () => {
  const place = await newPlace()
  const { integration } = await install(place, 'typed', { token: 'right' })
  await accountLeaves(place)
  const { id } = integration
  expect((await faultOf(moveIntegration(context, { id, status: 'PENDING' }))).errors).toHaveProperty('status')
  await expectNothingOf(place)
})

test('who claims a shop for an account that is being removed does not get it', async () => {
  const place = await newPlace()
  const { app_id: appId, account_id: accountId } = place
  const { id } = (await install({ ...place, account_id: null }, 'typed', { token: 'right' })).integration
  let claiming: Promise<unknown> = Promise.resolve()
  const cascade = async (trx: Db) => {
    await uninstallOfAccount(trx, accountId)
    let isDone = false
    claiming = faultOf(claimIntegration(context, { appId }, { id, account_id: accountId })).finally(() => {
      isDone = true
    })
    await until(async () => isDone || (await waitingForLocks(context)) > 0)
  }
  await deleteAccount(context, { appId }, { id: accountId, cascade })
  expect(await claiming).toMatchObject({ kind: 'not_found' })
})

test('a record is made for nobody who has gone', async () => {
  const place = await newPlace()
  await accountLeaves(place)
  const input = { name: 'Shop', shop: 'shop.example.com', type: 'typed' }
  expect((await faultOf(createIntegration(context, place, { input, user: null }))).kind).toBe('not_found')
})

test.each(['trip', 'keys'])('who uninstalls while the shop is asked is not connected after all: %s', async (way) => {
  const place = await newPlace()
  const { integration, comeBack } = await setOut(place)
  meanwhile = () => uninstallIntegration(context, integration.id)
  const typedIn = async () => {
    const waiting = await install(place, 'typed')
    meanwhile = () => uninstallIntegration(context, waiting.integration.id)
    await uninstallIntegration(context, integration.id)
    return await completeInstall(context, waiting.integration, { credentials: { token: 'right' } })
  }
  const fault = await faultOf(way === 'trip' ? comeBack() : typedIn())
  expect(fault.errors).toHaveProperty('status')
  await expectNothingOf(place)
})

test('a shop that was left is connected again', async () => {
  const place = await newPlace()
  const { integration } = await install(place, 'typed', { token: 'right' })
  const left = await uninstallIntegration(context, integration.id)
  expect((await completeInstall(context, left, { credentials: { token: 'right' } })).status).toBe('ACTIVE')
})
