import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installed, meta, rows } from '../integrations/support.ts'
import { makeUser, password } from '../support/identity.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** Addresses of the console are worth keeping: they survive reloads, signing in, and the buttons back and forward. */

let stage: Stage
let browser: Browser
let orders: string
/** The page behind the first. */
let second: string
let numbers: string[]

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  const { merchant } = stage
  const { id } = await installed(merchant, { orders: 60 })
  const list = () => merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`)
  await until(async () => rows(await list()).length === 60)
  orders = `${stage.origin}/console/apps/${merchant.appId}/orders`
  const page = await merchant.asUser('GET', `/apps/${merchant.appId}/orders?limit=25`)
  second = `${orders}?after=${meta(page)['next_cursor']}`
  numbers = rows(await merchant.asUser('GET', `/apps/${merchant.appId}/orders?limit=60`)).map((one) =>
    String(one['number']),
  )
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

async function fillIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The list is at its n-th order, the newest being the first. */
const beginsWith = (page: Page, n: number) =>
  expect.poll(() => page.locator('tbody tr').first().locator('td:not(.select)').first().innerText()).toBe(numbers[n])

describe('an address of the console', () => {
  test('is where one is after signing in, and after a wrong password before that', async () => {
    const { email } = await makeUser(stage.server.context, { roles: ['admin'] })
    const page = await browser.context.newPage()
    await page.context().clearCookies()
    await page.goto(second)
    await fillIn(page, email, 'wrong-password')
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
    expect(await axeViolations(page)).toEqual([])
    await fillIn(page, email, password)
    await beginsWith(page, 25)
    expect(page.url()).toBe(second)
    await page.reload()
    await beginsWith(page, 25)
    expect(await page.title()).toBe('Orders · Entrepot')
    await page.close()
  })

  test('stays while a session that has ended is replaced', async () => {
    const { page, email } = await openConsole(browser, stage)
    await page.goto(second)
    await beginsWith(page, 25)
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('heading', { name: 'Sign in to Entrepot' }).waitFor()
    await fillIn(page, email, password)
    await beginsWith(page, 50)
    await page.close()
  })

  test('has its page and its filter, and the buttons of the browser go through them', async () => {
    const { page } = await openConsole(browser, stage)
    await page.goto(orders)
    await beginsWith(page, 0)
    await page.getByRole('link', { name: 'Older' }).click()
    await beginsWith(page, 25)
    const status = page.getByRole('combobox', { name: 'State' })
    await status.selectOption('PENDING')
    await expect.poll(() => page.url()).toBe(`${orders}?status=PENDING`)
    await page.goBack()
    await beginsWith(page, 25)
    expect(await status.inputValue()).toBe('')
    await page.goBack()
    await beginsWith(page, 0)
    await page.goForward()
    await page.goForward()
    await expect.poll(() => status.inputValue()).toBe('PENDING')
    await page.locator('tbody a').first().click()
    await page.getByRole('heading', { name: 'Passport' }).waitFor()
    await page.goBack()
    await expect.poll(() => status.inputValue()).toBe('PENDING')
    await page.close()
  })
})

describe('the console', () => {
  test('says so when a record is not there, and when the service is away', async () => {
    const { page } = await openConsole(browser, stage)
    await page.goto(orders.replace('/orders', '/integrations/999999'))
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await browser.context.setOffline(true)
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await browser.context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.close()
  })

  test('begins each page at its beginning for the keyboard, and shows times exactly when asked to', async () => {
    const { page } = await openConsole(browser, stage)
    await page.goto(orders)
    await beginsWith(page, 0)
    const placed = page.locator('tbody ep-time time').first()
    expect(await placed.innerText()).toMatch(/\b(ago|yesterday|last \w+)\b/)
    await page.getByRole('button', { name: 'Exact times' }).click()
    await expect.poll(() => placed.innerText()).toMatch(/\d{4}, \d+:\d\d/)
    await page.getByRole('button', { name: 'Exact times' }).click()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    expect(await page.evaluate('document.querySelector("ep-console").shadowRoot.activeElement.id')).toBe('content')
    await page.close()
  })
})
