import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, rows } from '../integrations/support.ts'
import { makeUser } from '../support/identity.ts'
import { installOn } from '../support/simulated.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** Rooms over all shops, the palette, and what can be done to an order, by keyboard and by touch. */

let stage: Stage
let browser: Browser
let phone: Browser
let page: Page
let app: string
let shop: number
let order: { id: number; number: string; remote_id: string; email: string }

beforeAll(async () => {
  stage = await openStage()
  ;[browser, phone] = [await openBrowser(), await openBrowser({ width: 390, height: 844, dark: true })]
  const { merchant } = stage
  const opened = await stage.simulated.open({ platform: 'shopify', orders: 30 })
  shop = Number(data(await installOn(merchant, opened))['id'])
  const list = () => merchant.asApp('GET', `/orders?integration_id=${shop}&per_page=100&acknowledged=all`)
  await until(async () => rows(await list()).length === 30)
  const sendable = rows(await list()).find(
    (one) =>
      one['status'] === 'PENDING' &&
      one['payment_status'] === 'paid' &&
      (one['items'] as { quantity: number }[]).some(({ quantity }) => quantity > 1),
  )
  if (!sendable) throw new Error('The shop has no order that can be sent in parts.')
  order = {
    id: Number(sendable['id']),
    number: String(sendable['number']),
    remote_id: String(sendable['remote_id']),
    email: String((sendable['customer'] as { email?: string } | undefined)?.email),
  }
  app = `${stage.origin}/console/apps/${merchant.appId}`
  ;({ page } = await openConsole(browser, stage))
})
afterAll(async () => {
  await browser.close()
  await phone.close()
  await stage.close()
})

const palette = (where: Page) => where.getByRole('combobox', { name: 'Find anything' })

describe('the palette', () => {
  test('goes to an order by its number, by keyboard alone', async () => {
    await page.goto(`${app}/webhooks`)
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.type(order.number)
    const option = page.getByRole('option', { name: `Order ${order.number}` })
    await option.waitFor()
    expect(await option.getAttribute('aria-selected')).toBe('true')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor()
    expect(await palette(page).isVisible()).toBe(false)
  })

  test('finds buyers, pages and actions; arrows walk, Escape leaves, and no address says who was looked for', async () => {
    const before = page.url()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(order.email)
    await page.getByRole('option', { name: `Order ${order.number}` }).waitFor()
    expect(page.url()).toBe(before)
    await palette(page).fill('audit')
    await page.getByRole('option', { name: 'Audit trail' }).waitFor()
    await palette(page).fill('light')
    await page.getByRole('option', { name: 'Light or dark' }).waitFor()
    await palette(page).fill('')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('option').nth(2).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await expect.poll(() => palette(page).isVisible()).toBe(false)
    expect(page.url()).toBe(before)
  })

  test('asks why an order is not there, and is opened by touch on a phone', async () => {
    const { page: small } = await openConsole(phone, stage)
    await small.goto(`${app}/orders`)
    await small.getByRole('button', { name: 'Find anything' }).click()
    await palette(small).fill('90909090')
    const why = small.getByRole('option', { name: 'Why is order 90909090 not here?' })
    await why.waitFor()
    expect(await axeViolations(small)).toEqual([])
    await why.click()
    await small.getByRole('heading', { name: 'There is no order 90909090' }).waitFor()
    await small.close()
  })
})

describe('a list over all shops', () => {
  test('is saved as CSV as it is filtered, without a formula in it', async () => {
    const { db } = stage.server.context
    await sql`update orders set remote_status = '=1+1' where integration_id = ${shop} and id = ${order.id}`.execute(db)
    await page.goto(`${app}/orders?status=PENDING`)
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    const pending = await sql<{ n: number }>`
      select count(*)::int as n from orders where integration_id = ${shop} and status = 'PENDING'`.execute(db)
    expect(text.startsWith('\ufeffNumber,State,Shop,In the shop,Total,Placed,Changed\r\n')).toBe(true)
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + Number(pending.rows[0]?.n))
    expect(text).toContain(`,'=1+1,`)
    expect(text).not.toContain(',=1+1')
  })

  test('failed messages are chosen and tried again together', async () => {
    const { db } = stage.server.context
    await sql`insert into shop_messages (integration_id, delivery_id, topic, body, outcome, error, processed_at)
      select ${shop}, 'made-' || n, 'orders/updated', '{}', 'failed', 'Nobody understood it.', now()
      from generate_series(1, 3) n`.execute(db)
    await page.goto(`${app}/undelivered`)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByText('3 selected').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('3 messages are processed again.').waitFor()
    const left = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from shop_messages
          where integration_id = ${shop} and error = 'Nobody understood it.'`.execute(db)
      ).rows[0]?.n
    await expect.poll(left).toBe(0)
  })

  test('is a list of cards on a phone', async () => {
    const { page: small } = await openConsole(phone, stage)
    await small.goto(`${app}/orders`)
    const card = small.locator('tbody tr').first()
    await card.waitFor()
    expect((await card.boundingBox())?.height).toBeGreaterThan(60)
    expect(Number(await small.evaluate('document.documentElement.scrollWidth - innerWidth'))).toBe(0)
    expect(await axeViolations(small)).toEqual([])
    await small.close()
  })
})

describe('an order', () => {
  const open = async () => {
    await page.goto(`${app}/integrations/${shop}/orders/${order.id}`)
    await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor()
  }

  test('shows its way as a picture, and every step behind it', async () => {
    await open()
    const way = page.getByRole('list', { name: 'The way of the order' })
    for (const [n, name] of ['Placed', 'Received', 'Stored', 'Told', 'Shipped'].entries()) {
      expect(await way.getByRole('listitem').nth(n).innerText()).toContain(name)
    }
    await way.getByText('Not shipped yet').waitFor()
    await way.getByText('No webhook listens').waitFor()
    const steps = page.getByRole('list', { name: 'What happened, in order' })
    expect(await steps.isVisible()).toBe(false)
    await page.getByText(/^All \d+ steps/).click()
    await steps
      .getByRole('link', { name: /^Run \d+$/ })
      .first()
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('is told what happens to it, without asking by the clock', async () => {
    const { page: told } = await openConsole(browser, stage)
    await told.addInitScript('window.setInterval = () => 0')
    const streams = told.waitForResponse((answer) => answer.url().endsWith('/live'))
    await told.goto(`${app}/integrations/${shop}/orders/${order.id}`)
    await told.getByRole('heading', { name: `Order ${order.number}` }).waitFor()
    expect((await streams).status()).toBe(200)
    await told.getByText(/^All \d+ steps/).click()
    expect(await told.getByText('The order was acknowledged.').count()).toBe(0)
    const path = `/orders/${order.id}/acknowledge?integration_id=${shop}`
    expect((await stage.merchant.asApp('POST', path, {})).status).toBe(200)
    await told.getByText('The order was acknowledged.').waitFor()
    await told.close()
  })

  test('is printed as what was bought and by whom, on white and without the console around it', async () => {
    await open()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const isShown = (name: string | RegExp, role: 'button' | 'heading' | 'table') =>
      page.getByRole(role, { name }).first().isVisible()
    expect(await Promise.all([isShown(/^Order /, 'heading'), isShown('Lines', 'table')])).toEqual([true, true])
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByText(/^All \d+ steps/).isVisible()).toBe(false)
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
    await page.emulateMedia({ media: null, colorScheme: null })
  })

  test('is fetched again, and its summary copied', async () => {
    const { db } = stage.server.context
    await sql`update orders set total = 1 where integration_id = ${shop} and id = ${order.id}`.execute(db)
    await open()
    await page.getByRole('button', { name: 'Fetch again' }).click()
    await page.getByText('Fetched from the shop.').waitFor()
    const total = async () =>
      (
        await sql<{
          total: string
        }>`select total from orders where integration_id = ${shop} and id = ${order.id}`.execute(db)
      ).rows[0]?.total
    expect(Number(await total())).toBeGreaterThan(1)
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy a summary' }).click()
    await page.getByText('The summary is in the clipboard.').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toContain(`Order ${order.number} at `)
    expect(copied).toContain('Not shipped yet')
    expect(copied).not.toContain(order.email)
  })

  test('is shipped in part: what is refused stands in the form, what is left can be sent later', async () => {
    await open()
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByLabel('Tracking number', { exact: true }).fill('P1')
    await page.getByLabel('Carrier', { exact: true }).fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Tell the shop' }).click()
    await page.getByText(/carrier field must not be greater than 255/).waitFor()
    expect(await page.getByLabel('Carrier', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Carrier', { exact: true }).fill('DHL')
    const pieces = page.getByRole('spinbutton')
    for (let n = 0; n < (await pieces.count()); n++) {
      const max = Number(await pieces.nth(n).getAttribute('max'))
      await pieces.nth(n).fill(max > 1 ? '1' : '0')
    }
    await page.getByRole('button', { name: 'Tell the shop' }).click()
    await page.getByText('The shop has the parcel.').waitFor()
    await page.getByRole('table', { name: 'Parcels' }).getByText('P1').waitFor()
    await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
  })

  test('offers nothing to who may only read', async () => {
    const { companyId: company_id } = stage.merchant
    const permissions = ['read-order', 'read-integration'] as const
    const { email } = await makeUser(stage.server.context, { company_id, permissions })
    const reader = await phone.context.newPage()
    await signIn(reader, stage.origin, email)
    await reader.goto(`${app}/integrations/${shop}/orders/${order.id}`)
    await reader.getByRole('button', { name: 'Copy a summary' }).waitFor()
    for (const name of ['Ship', 'Refund', 'Cancel the order', 'Fetch again']) {
      expect([name, await reader.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
    }
    await reader.close()
  })
})
