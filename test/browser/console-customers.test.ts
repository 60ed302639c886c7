import { afterAll, beforeAll, expect, test } from 'vitest'
import { installed, rows } from '../integrations/support.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
let emails: string[]
beforeAll(async () => {
  stage = await openStage()
  const { merchant } = stage
  const id = Number((await installed(merchant, { orders: 30 }))['id'])
  const list = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=30`))
  await until(async () => (await list()).length > 20)
  emails = [...new Set((await list()).map(({ customer }) => String(Object(customer)['email'])))]
})
afterAll(() => stage.close())

test.each([
  { screen: '1440 dark', options: { dark: true, width: 1440, height: 900 } },
  { screen: '390 light', options: { width: 390, height: 844 } },
])('a customer is found and erased on a screen of $screen, which is accessible at every step', async ({ options }) => {
  const browser = await openBrowser(options)
  try {
    const { page } = await openConsole(browser, stage)
    await page.goto(`${stage.origin}/console/apps/${stage.merchant.appId}/customers`)
    await page.getByLabel('Merchant').selectOption(stage.merchant.remoteId)
    const email = emails.pop() ?? ''
    await page.getByLabel('E-mail address, phone number or name').fill(email)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: /^\d+ orders?$/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Erase the customer' }).click()
    await page.getByRole('heading', { name: 'Erase this customer?' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.locator('ep-dialog').getByRole('button', { name: 'Erase the customer' }).click()
    await page.locator('section', { hasText: 'Erasure' }).getByText('Done').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByText('Nobody found').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  } finally {
    await browser.close()
  }
})
