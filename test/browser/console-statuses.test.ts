import { afterAll, beforeAll, expect, test } from 'vitest'
import { data } from '../integrations/support.ts'
import { installOn } from '../support/simulated.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import './support/patience.ts'
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

test('a status that the shop made up is found, and explained on the page of its integration', async () => {
  const { merchant } = stage
  const shop = await stage.simulated.open({ platform: 'woocommerce', orders: 40 })
  const { base_url } = shop.install.settings
  const { id } = data(await installOn(merchant, shop, { settings: { base_url } }))
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/apps/${merchant.appId}/integrations/${id}`)
  await page.getByRole('button', { name: 'Ask the shop for its statuses' }).click()
  const meaning = page.getByLabel('What awaiting-pickup means')
  await expect.poll(() => meaning.inputValue()).toBe('')
  expect(await axeViolations(page)).toEqual([])
  await meaning.selectOption('open')
  const settings = async () => data(await merchant.asApp('GET', `/integrations/${id}`))['settings']
  await expect.poll(settings).toEqual({ base_url, order_statuses: [{ status: 'awaiting-pickup', means: 'open' }] })
  await expect.poll(() => meaning.inputValue()).toBe('open')
  await page.close()
})
