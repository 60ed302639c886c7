import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, installed, rows } from '../integrations/support.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { drawn } from './support/held.ts'
import { openStage, type Stage } from './support/stage.ts'

/** Lists as people want them: their columns, their views, several rows at once, by keyboard; and what happens, as it happens. */

let stage: Stage
let browser: Browser
let phone: Browser
let page: Page
let email: string
let app: string
let shop: number

beforeAll(async () => {
  stage = await openStage(['sandbox'])
  ;[browser, phone] = [await openBrowser(), await openBrowser({ width: 390, height: 844, dark: true })]
  shop = Number((await installed(stage.merchant, { orders: 12 }))['id'])
  const list = () => stage.merchant.asApp('GET', `/orders?integration_id=${shop}&per_page=100&acknowledged=all`)
  await until(async () => rows(await list()).length === 12)
  await sql`update orders set status = 'PENDING', acknowledged_at = null where integration_id = ${shop}`.execute(
    stage.server.context.db,
  )
  app = `${stage.origin}/console/apps/${stage.merchant.appId}`
  ;({ page, email } = await openConsole(browser, stage))
})
afterAll(async () => {
  await browser.close()
  await phone.close()
  await stage.close()
})

const heads = async (where: Page) =>
  (await where.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '')
const menu = (where: Page, name: string) => where.getByRole('button', { name, exact: true })

async function open(where: Page, path: string): Promise<void> {
  await where.goto(app + path)
  await where.locator('main h1').first().waitFor()
  await expect.poll(() => where.locator('.skeleton').count()).toBe(0)
}

async function saved(where: Page, button: string): Promise<string[]> {
  const [download] = await Promise.all([
    where.waitForEvent('download'),
    where.getByRole('button', { name: button, exact: true }).click(),
  ])
  return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
}

describe('columns', () => {
  test('are chosen, stay chosen in this browser, and are what is saved', async () => {
    await open(page, '/orders')
    expect(await heads(page)).toContain('Shop')
    await menu(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'Shop', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Changed', exact: true }).uncheck()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('checkbox', { name: 'Shop', exact: true }).isVisible()).toBe(false)
    await page.reload()
    await page.getByRole('table').waitFor()
    expect(await heads(page)).toEqual(['Number', 'State', 'In the shop', 'Total', 'Placed'])
    expect((await saved(page, 'Save as CSV'))[0]).toBe('\ufeffNumber,State,In the shop,Total,Placed')
    await menu(page, 'Columns').click()
    await page.getByRole('button', { name: 'Show the usual ones' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toContain('Shop')
  })
})

describe('a view', () => {
  test('keeps filters and columns under a name, for the person wherever they sign in', async () => {
    await open(page, '/orders?status=PENDING')
    await menu(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'Shop', exact: true }).uncheck()
    await page.keyboard.press('Escape')
    await menu(page, 'Views').click()
    await page.getByText('You have none of this list yet').waitFor()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(101))
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText(/must not be greater than 100/).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('To be packed')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('“To be packed” has been saved.').waitFor()
    // What is in sight is that view, and says so.
    await menu(page, 'To be packed').waitFor()

    const small = await phone.context.newPage()
    await signIn(small, stage.origin, email)
    await open(small, '/orders')
    await menu(small, 'Views').click()
    expect(await axeViolations(small)).toEqual([])
    expect(Number(await small.evaluate('document.documentElement.scrollWidth - innerWidth'))).toBe(0)
    await small.getByRole('link', { name: 'To be packed' }).click()
    await expect.poll(() => new URL(small.url()).search).toBe('?status=PENDING')
    await menu(small, 'To be packed').waitFor()
    const card = small.locator('tbody tr').first()
    await card.waitFor()
    expect(await card.innerText()).not.toContain(`shop-`)

    await menu(small, 'To be packed').click()
    await small.getByRole('button', { name: 'Delete the view “To be packed”' }).click()
    await small.getByText('“To be packed” has been deleted.').waitFor()
    await small.close()
    await page.reload()
    await menu(page, 'Views').waitFor()
  })
})

describe('several rows', () => {
  test('of orders are saved and acknowledged together', async () => {
    await open(page, '/orders')
    const boxes = page.getByRole('checkbox', { name: /^Select / })
    await boxes.nth(1).check()
    await boxes.nth(2).check()
    await page.getByText('2 selected').waitFor()
    expect(await saved(page, 'Save selected as CSV')).toHaveLength(3)
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('2 orders have been acknowledged.').waitFor()
    const { rows: taken } = await sql<{ status: string }>`
      select status from orders where integration_id = ${shop} and acknowledged_at is not null`.execute(
      stage.server.context.db,
    )
    expect(taken.map(({ status }) => status)).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED'])
    await boxes.first().check()
    await page.getByRole('button', { name: 'Acknowledge (10 of 12)' }).waitFor()
  })

  test('of deliveries are sent again together', async () => {
    const { merchant } = stage
    const { url } = data(await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks/catcher`)) as { url: string }
    const webhook = data(
      await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, { url, events: ['order.deleted'] }),
    )
    for (let n = 0; n < 2; n++) await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks/${webhook['id']}/test`)
    await open(page, `/webhooks/${webhook['id']}`)
    await expect.poll(() => page.getByRole('cell', { name: 'delivered' }).count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('2 deliveries are being sent again.').waitFor()
    await expect.poll(() => page.getByRole('cell', { name: '2', exact: true }).count()).toBe(2)
  })
})

describe('by keyboard', () => {
  test('a filter is applied by Enter or by leaving it, and by no arrow', async () => {
    await open(page, '/orders')
    const state = page.getByRole('combobox', { name: 'State', exact: true })
    await state.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const chosen = await state.inputValue()
    expect(chosen).not.toBe('')
    expect(new URL(page.url()).search).toBe('')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).search).toBe(`?status=${chosen}`)
    await page.keyboard.press('ArrowUp')
    const other = await state.inputValue()
    expect(new URL(page.url()).search).toBe(`?status=${chosen}`)
    await page.keyboard.press('Tab')
    await expect.poll(() => new URL(page.url()).search).toBe(`?status=${other}`)
  })

  test('no control of any page acts on focus or arrow', async () => {
    const writes: string[] = []
    page.on('request', (request) => {
      if (!['GET', 'HEAD'].includes(request.method())) writes.push(`${request.method()} ${request.url()}`)
    })
    const wrong: string[] = []
    let tried = 0
    const { merchant } = stage
    const account = data(await merchant.asApp('POST', '/accounts', { remote_id: 'second', name: 'Second' }))
    expect(account['id']).toBeGreaterThan(0)
    const pages = ['orders', 'products', 'stock', 'parcels', 'runs', 'undelivered', 'logs', 'integrations', 'alerts']
    const others = ['approvals', 'shared-stock', 'customers', 'connect', 'requests', `integrations/${shop}`]
    for (const path of [...pages, ...others]) {
      await open(page, `/${path}`)
      const address = page.url()
      const fields = page.locator('main').locator('select:visible, input[type=date]:visible, input[type=radio]:visible')
      for (let n = 0; n < (await fields.count()); n++) {
        await fields.nth(n).focus()
        await page.keyboard.press('ArrowDown')
        tried++
        if (page.url() !== address) wrong.push(`${path}: field ${n}`)
        // What was begun is taken back, so that leaving the field says nothing new.
        await page.keyboard.press('ArrowUp')
      }
    }
    expect(wrong).toEqual([])
    expect(writes).toEqual([])
    expect(tried).toBeGreaterThan(8)
  })
})

describe('what is happening', () => {
  test('is told on the first page as it happens, without asking by the clock', async () => {
    await page.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
    await page.goto(`${stage.origin}/console`)
    await page.getByText('Live', { exact: true }).waitFor()
    const streams: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/live')) streams.push(request.url())
    })
    const made = await installed(stage.merchant, { orders: 2 })
    const now = page.getByRole('list').filter({ hasText: String(made['name']) })
    await now
      .getByRole('link', { name: /^Order / })
      .first()
      .waitFor()
    await now.getByText('Completed').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    // One stream has told all of it.
    expect(streams).toEqual([])
    await now.getByRole('link', { name: 'Fetch orders' }).first().click()
    await page.getByRole('heading', { name: /^Fetch orders/ }).waitFor()
    // The page of the run follows the app now; the one that was left no longer does.
    await expect.poll(() => streams.length).toBe(1)
    await drawn(page)
    expect(streams).toHaveLength(1)
  })

  test('is a list of cards on a phone, and nothing is cut', async () => {
    const { page: small } = await openConsole(phone, stage)
    await small.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
    await small.goto(`${stage.origin}/console`)
    await small.getByRole('heading', { name: 'Happening now' }).waitFor()
    await small
      .getByRole('link', { name: /^Order / })
      .first()
      .waitFor()
    expect(Number(await small.evaluate('document.documentElement.scrollWidth - innerWidth'))).toBe(0)
    expect(await axeViolations(small)).toEqual([])
    await small.close()
  })
})
