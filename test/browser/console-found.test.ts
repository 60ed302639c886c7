import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, installed, meta, rows } from '../integrations/support.ts'
import { password } from '../support/identity.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** What people run into: more shops than a list shows at once, addresses of others, orders that are not there. */

let stage: Stage
let browser: Browser
let page: Page
let email: string
let app: string
let connected: number
let last: number

beforeAll(async () => {
  stage = await openStage(undefined, { requestLogDays: 3 })
  browser = await openBrowser()
  const { merchant } = stage
  connected = Number((await installed(merchant, { orders: 3 }))['id'])
  const { rows: made } = await sql<{ id: number }>`
    insert into integrations (app_id, account_id, service_id, user_id, company_id, type, status, name, shop)
    select app_id, account_id, service_id, user_id, company_id, type, 'PENDING', 'Lager ' || n, 'lager-' || n || '.example'
    from integrations, generate_series(100, 200) n where id = ${connected} order by n
    returning id`.execute(stage.server.context.db)
  last = made.at(-1)?.id ?? 0
  const list = () => merchant.asApp('GET', `/orders?integration_id=${connected}&per_page=1`)
  await until(async () => rows(await list()).length === 1)
  app = `${stage.origin}/console/apps/${merchant.appId}`
  ;({ page, email } = await openConsole(browser, stage))
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const shop = () => page.getByRole('combobox', { name: 'Shop', exact: true })

describe('among a hundred shops and more', () => {
  test.each(['orders', 'runs', 'logs', 'schedules', 'undelivered'])(
    '%s are those of the shop in the address',
    async (what) => {
      await page.goto(`${app}/${what}?integration=${last}`)
      await expect.poll(() => shop().inputValue()).toBe('Lager 200 (lager-200.example)')
    },
  )

  test('a shop that is not there is nobody else’s page', async () => {
    await page.goto(`${app}/orders?integration=999999`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(0)
  })

  test('any is found by what is typed, and nothing happens before it is chosen', async () => {
    await page.goto(`${app}/orders?integration=${connected}`)
    await shop().click()
    await shop().fill('lager 17')
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(10)
    expect(await axeViolations(page)).toEqual([])
    await shop().press('ArrowDown')
    await shop().press('ArrowDown')
    expect(page.url()).toBe(`${app}/orders?integration=${connected}`)
    await shop().press('Enter')
    await expect.poll(() => shop().inputValue()).toBe('Lager 171 (lager-171.example)')
  })
})

test('the address of an app that is gone or another’s says so, and asks nobody to sign in', async () => {
  await page.goto(app.replace(/\d+$/, '999999/orders'))
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'App' }).inputValue()).not.toBe('')
})

test('the id of a request leads to the call', async () => {
  const { headers } = await stage.merchant.asApp('GET', '/accounts?per_page=3')
  const id = String(headers['x-request-id'])
  await expect.poll(async () => (await stage.merchant.asApp('GET', `/requests/${id}`)).status).toBe(200)
  await page.goto(app)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill(id)
  await page.getByRole('option', { name: 'Call of the API' }).click()
  await expect.poll(() => page.url()).toBe(`${app}/requests/${id}`)
  await page.getByRole('heading', { name: 'GET /api/2.0/app/accounts' }).waitFor()
})

test('an order that is not there is answered with the reason, and with each shop that was looked at', async () => {
  await page.goto(`${app}/orders`)
  await page.getByLabel('Number, email').fill('99999')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByRole('heading', { name: 'There is no order 99999' }).waitFor()
  await page.getByText('None of the connected shops had such an order when its orders were last synced.').waitFor()
  expect(await page.getByText('no sync has completed').count()).toBeGreaterThan(20)
  expect(await page.locator('tbody tr').count()).toBe(25)
  expect(await axeViolations(page)).toEqual([])
})

test('a shop whose limits others share says how often it is read for that, and among how many', async () => {
  const share = { every_seconds: 1038, selling_seconds: 34, shops: 60, calls_per_day: 10_000 }
  await sql`update integrations set read_share = ${JSON.stringify(share)}, next_read_at = now() + interval '1 hour'
    where id = ${connected}`.execute(stage.server.context.db)
  await page.goto(`${app}/integrations/${connected}`)
  const words =
    'no more often than every 17.3 minutes, or 34 seconds while it sells from a shared stock, since the platform allows the app 10,000 calls a day for 60 shops'
  await page.getByText(words).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('arrows do not start an action; the button does', async () => {
  await page.goto(`${app}/integrations/${connected}`)
  const runs = async () => Number(meta(await stage.merchant.asApp('GET', `/integrations/${connected}/runs`))['total'])
  const action = page.getByLabel('Action', { exact: true })
  await action.focus()
  const before = await runs()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await action.locator('option:checked').innerText()).toBe('Fetch stock')
  expect(await runs()).toBe(before)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(runs).toBe(before + 1)
})

test('a list of runs that is empty says why: there are none, or only some that found nothing new, which are a click away', async () => {
  const { db } = stage.server.context
  const { appId } = stage.merchant
  await sql`insert into integration_state (integration_id, app_id) values (${last}, ${appId})`.execute(db)
  await page.goto(`${app}/runs?integration=${last}`)
  await page.getByRole('heading', { name: 'No runs', exact: true }).waitFor()
  await sql`
    insert into runs (integration_id, resource, status, automatic, quiet, finished_at)
    values (${last}, 'sync_orders', 'completed', true, true, now())`.execute(db)
  const onlyChecks = page.getByRole('heading', { name: 'Only checks that found nothing new' })
  await onlyChecks.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.goto(`${app}/runs?integration=${last}&status=failed`)
  await page.getByRole('heading', { name: 'No run is “Failed”' }).waitFor()
  await page.getByRole('link', { name: 'Show all', exact: true }).click()
  await page
    .getByRole('link', { name: /^Fetch orders / })
    .first()
    .waitFor()
  await page.goto(`${app}/runs?integration=${last}&status=completed`)
  await onlyChecks.waitFor()
  await page.getByRole('link', { name: 'Show all runs' }).click()
  await page.getByRole('link', { name: /^Fetch orders / }).waitFor()
  expect(new URL(page.url()).searchParams.get('found')).toBe('anything')
  expect(await page.getByRole('combobox', { name: 'Show', exact: true }).inputValue()).toBe('anything')
  await sql`delete from runs where integration_id = ${last}`.execute(db)
})

test('an order is found by the buyer’s address and shown in full, from the shop to the total', async () => {
  const [order] = rows(await stage.merchant.asApp('GET', `/orders?integration_id=${connected}&per_page=1`))
  const buyer = (order?.['customer'] as { email?: string } | undefined)?.email ?? ''
  await page.goto(`${app}/orders?integration=${connected}`)
  await page.getByLabel('Number, email').fill(buyer)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  // A buyer of several orders gets a list of them; of one, that order.
  const list = page.getByRole('table', { name: 'Found' })
  await list.or(page.getByRole('heading', { name: 'Passport' })).waitFor()
  if (await list.isVisible()) await list.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Passport' }).waitFor()
  for (const fact of ['Merchant', 'Email', 'Goods', 'Total', 'Shipping']) {
    await page.getByText(fact, { exact: true }).first().waitFor()
  }
  await page.getByText(/^All \d+ steps/).click()
  await page
    .getByRole('link', { name: /^Run \d+$/ })
    .first()
    .click()
  await page.getByText(/^Orders synced: 3 read, 3 new\.$/).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('the credentials of a platform are set up by hand, and not shown again', async () => {
  await page.goto(app)
  await page.getByRole('link', { name: 'Set up the credentials of Shopify' }).click()
  await page.getByLabel('Client ID').fill('an-id')
  await page.getByRole('button', { name: 'Save the credentials' }).click()
  await page.getByText('The client.client secret field is required.').waitFor()
  await page.getByLabel('Client secret').fill('a-secret')
  await page.getByRole('button', { name: 'Save the credentials' }).click()
  await page.getByText('Credentials are set.').waitFor()
  expect(await page.getByLabel('Client secret').inputValue()).toBe('')
  expect(await axeViolations(page)).toEqual([])
})

test('the first steps go on with an app that was made over the API', async () => {
  const made = data(await stage.merchant.asUser('POST', '/apps', { name: 'By hand' }))
  await page.evaluate((id) => localStorage.setItem('entrepot.app', id), String(made['id']))
  await page.goto(`${stage.origin}/console/start`)
  await page.getByRole('button', { name: 'Prepare “By hand”' }).click()
  await page.getByLabel('API key').waitFor()
})

test('a session that ends in the middle of a form leaves what was typed', async () => {
  await page.goto(`${stage.origin}/console/apps`)
  await page.getByRole('button', { name: 'New app' }).click()
  await page.keyboard.type('Half a name')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create app' }).click()
  await page.getByText('Your session has ended.').waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Half a name')
})
