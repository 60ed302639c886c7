import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
let browser: Browser
beforeAll(async () => {
  ;[stage, browser] = [await openStage(), await openBrowser({ width: 390, height: 844 })]
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

test('how long an app keeps things is set on its page, after a question that names what goes', async () => {
  const { appId, userToken } = stage.merchant
  const kept = async () =>
    (await stage.server.call('GET', `/api/2.0/user/apps/${appId}/retention`, { token: userToken })).json['data']
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/apps/${appId}`)
  await page.getByLabel('Customer data').fill('365')
  await page.getByLabel('Messages from and to shops').fill('31')
  const save = page.locator('section', { hasText: 'How long things are kept' }).getByRole('button', { name: 'Save' })
  await save.click()
  const dialog = page.locator('ep-dialog[heading="Delete what is older?"]')
  await dialog.getByText('orders that arrived more than 365 days ago').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete and save' }).click()
  // What the service refuses is said at its field, and nothing is saved.
  await page.getByText('must not be greater than 30').waitFor()
  expect(await kept()).toEqual({ orders_days: null, customers_days: null, messages_days: null })
  await page.getByLabel('Customer data').fill('365')
  await page.getByLabel('Messages from and to shops').fill('14')
  await save.click()
  await dialog.getByRole('button', { name: 'Delete and save' }).click()
  await expect.poll(kept).toEqual({ orders_days: null, customers_days: 365, messages_days: 14 })
  await page.close()
})
