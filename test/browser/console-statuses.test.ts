import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, rows } from '../integrations/support.ts'
import { installOn } from '../support/simulated.ts'
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

test('orders are chosen by the word that the shop has for how they stand; the address keeps it', async () => {
  const { merchant } = stage
  const shop = await stage.simulated.open({ platform: 'woocommerce', orders: 40 })
  const { id } = data(await installOn(merchant, shop))
  const orders = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`))
  await expect.poll(async () => (await orders()).length).toBe(40)
  const wanted = (await orders()).filter(({ remote_status: word }) => word === 'awaiting-pickup')
  expect(wanted.length).toBeGreaterThan(0)
  const { page } = await openConsole(browser, stage)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${stage.origin}/console/apps/${merchant.appId}/orders?integration=${id}`)
  const words = page.getByRole('combobox', { name: 'In the shop' })
  await words.selectOption('awaiting-pickup')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(wanted.length)
  expect(new Set(await page.locator('tbody tr td[data-label="In the shop"]').allInnerTexts())).toEqual(
    new Set(['awaiting-pickup']),
  )
  expect(new URL(page.url()).searchParams.get('remote_status')).toBe('awaiting-pickup')
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect.poll(() => words.inputValue()).toBe('awaiting-pickup')
  await words.selectOption('')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  await page.close()
})
