import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installed, meta, rows } from '../integrations/support.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import './support/patience.ts'
import { openConsole } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** What people run into: more shops than a list shows at once, addresses of others, orders that are not there. */

let stage: Stage
let browser: Browser
let page: Page
let app: string
let connected: number
let last: number

beforeAll(async () => {
  stage = await openStage()
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
  await vi.waitUntil(async () => rows(await list()).length === 1, { timeout: 30_000, interval: 100 })
  app = `${stage.origin}/console/apps/${merchant.appId}`
  ;({ page } = await openConsole(browser, stage))
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const shop = () => page.getByRole('combobox', { name: 'Integration' })

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

test('an order that is not there is answered with the reason, and with each shop that was looked at', async () => {
  await page.goto(`${app}/orders`)
  await page.getByLabel('Order number').fill('99999')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { name: 'There is no order 99999' }).waitFor()
  await page.getByText('None of the connected shops had such an order when its orders were last synced.').waitFor()
  expect(await page.getByText('no sync has completed').count()).toBeGreaterThan(20)
  expect(await page.locator('tbody tr').count()).toBe(25)
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
