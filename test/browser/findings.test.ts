import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installed, makeMerchant, rows } from '../integrations/support.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/**
 * What people stumbled over who tried the pages for the first time, tried again as they did. What is not here has a test beside
 * what it is about: `console-found`, `connect`, `components`, `documentation`, `first-run`.
 */

let stage: Stage
let browser: Browser
let page: Page
let app: string
let shop: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  const { merchant } = stage
  shop = Number((await installed(merchant, { orders: 5 }))['id'])
  await until(async () => rows(await merchant.asApp('GET', `/orders?integration_id=${shop}&per_page=5`)).length === 5)
  app = `${stage.origin}/console/apps/${merchant.appId}`
  page = await browser.context.newPage()
  await signIn(page, stage.origin, merchant.email)
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const query = async <Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await text.execute(stage.server.context.db)).rows

async function insertRun(status: string, done: number, total: number | null): Promise<number> {
  const [run] = await query(sql<{ id: number }>`
    insert into runs (integration_id, resource, status, done, total, started_at, finished_at, waits)
    values (${shop}, 'sync_orders', ${status}, ${done}, ${total}, now(), ${status === 'failed' ? sql`now()` : null}, 0) returning id`)
  return Number(run?.id)
}

test('the overview counts all shops, and names a webhook that was disabled', async () => {
  const { appId } = stage.merchant
  await query(sql`
    insert into webhook_subscriptions (app_id, url, secret, key_id, events, disabled_at, disabled_reason)
    values (${appId}, 'https://gone.example.com', '', 'k', '{order.created}', now(), 'gone')`)
  const [counted] = await query(
    sql<{ n: number }>`select count(*)::int as n from integrations where app_id = ${appId} and deleted_at is null`,
  )
  await page.evaluate(`localStorage.setItem('entrepot.app', '${appId}')`)
  await page.goto(`${stage.origin}/console`)
  await page.getByRole('link', { name: new RegExp(`^Shops ${counted?.n} `) }).waitFor()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText('gone.example.com').waitFor()
  await attention.getByRole('link', { name: /webhook/i }).waitFor()
  await query(sql`delete from webhook_subscriptions where url = 'https://gone.example.com'`)
})

test('the first form has the fields that the platform needs, and no others', async () => {
  for (const [platform, least] of [
    ['Sandbox', 'API key'],
    ['WooCommerce', 'Address of the shop'],
  ] as const) {
    await page.goto(`${app}/connect`)
    await page.getByRole('button', { name: platform, exact: true }).click()
    await page.getByLabel('Address of the shop').waitFor()
    const labels = await page
      .locator('entrepot-connect')
      .getByRole('textbox')
      .evaluateAll((all) =>
        all.map((one) => (one as { labels?: { textContent: string }[] }).labels?.[0]?.textContent?.trim() ?? ''),
      )
    // A name, an address, and at most a key with its secret.
    expect(labels.length).toBeLessThanOrEqual(4)
    expect(labels.some((label) => label.startsWith(least))).toBe(true)
    expect(labels.join()).not.toMatch(/base url|dialect|seed|keys in query|expires/i)
  }
})

describe('a run', () => {
  test('that waits for a shop which is away says so', async () => {
    const run = await insertRun('running', 0, null)
    await query(sql`insert into integration_logs (integration_id, run_id, level, event, message)
      values (${shop}, ${run}, 'warning', 'run.waiting', 'The shop is away or busy. Next try in 80 seconds.')`)
    await page.goto(`${app}/integrations/${shop}/runs/${run}`)
    await page.getByText('Waiting for the shop').waitFor()
    await page.getByRole('status').getByText('Next try in 80 seconds.').waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await query(sql`update runs set status = 'cancelled', finished_at = now() where id = ${run}`)
  })

  test('that failed before it began is not full', async () => {
    const unknown = await insertRun('failed', 0, null)
    await page.goto(`${app}/integrations/${shop}/runs/${unknown}`)
    await page.getByText('0 records').waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    const known = await insertRun('failed', 0, 40)
    await page.goto(`${app}/integrations/${shop}/runs/${known}`)
    await page.getByText('0 of 40 records').waitFor()
    expect(await page.getByRole('progressbar').evaluate((bar) => (bar as unknown as { value: number }).value)).toBe(0)
  })

  test('has a line in the log that says what came of it', async () => {
    await page.goto(`${app}/logs`)
    await page
      .getByText(/^Orders synced: 5 read, 5 new/)
      .first()
      .waitFor()
    expect(await page.getByText('Done.', { exact: true }).count()).toBe(0)
  })
})

test('a shop whose keys are refused has a sentence, and no code', async () => {
  await query(sql`update integrations set status = 'ERROR', status_reason = 'credentials_rejected' where id = ${shop}`)
  await page.goto(`${app}/integrations/${shop}`)
  await page.getByText('The shop rejected our credentials').first().waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/credentials[ _]rejected/i)
  await query(sql`update integrations set status = 'ACTIVE', status_reason = null where id = ${shop}`)
})

test('a message of a shop is opened from the list, with what it says', async () => {
  await query(sql`insert into shop_messages (integration_id, delivery_id, topic, body, outcome, processed_at)
    values (${shop}, 'seen', 'orders/seen', '{"seen": true}', 'stored', now())`)
  await page.goto(`${app}/undelivered?outcome=all`)
  await page.getByRole('link', { name: 'orders/seen' }).click()
  await page.getByText('"seen": true').waitFor()
})

test('what is said again takes the place of what was said', async () => {
  await page.goto(`${app}`)
  const offers = page.getByRole('button', { name: 'Offer', exact: true })
  await offers.first().waitFor()
  for (let clicked = 0; clicked < 4; clicked++) {
    const left = await offers.count()
    await offers.first().click()
    await expect.poll(() => offers.count()).toBe(left - 1)
  }
  expect(await page.getByText('The service is offered now.').count()).toBeLessThanOrEqual(1)
})

test('a dialog begins at its first field, and one with a secret is closed by no Escape', async () => {
  await page.goto(`${stage.origin}/console/clients`)
  await page.getByRole('button', { name: 'New client' }).click()
  await page.keyboard.type('Typed at once')
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed at once')
  await page.keyboard.press('Enter')
  const secret = page.getByRole('heading', { name: 'The client’s secret' })
  await secret.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await secret.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await secret.waitFor({ state: 'hidden' })
})

test('no ring surrounds a page that was reached by the keyboard', async () => {
  await page.goto(`${app}/orders`)
  await page.getByRole('link', { name: 'Parcels' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Parcels' }).waitFor()
  const main = page.locator('main#content')
  await expect
    .poll(() => main.evaluate((one) => (one.getRootNode() as { activeElement?: unknown }).activeElement === one))
    .toBe(true)
  expect(
    await page.evaluate(
      `getComputedStyle(document.querySelector('ep-console').shadowRoot.querySelector('main')).outlineStyle`,
    ),
  ).toBe('none')
})

test('first steps remember that the API can be called', async () => {
  const { appId } = stage.merchant
  await stage.merchant.asUser('POST', '/clients', { name: 'Made before', app_id: appId })
  await page.evaluate(`localStorage.setItem('entrepot.app', '${appId}')`)
  await page.goto(`${stage.origin}/console/start`)
  await page.getByRole('heading', { name: 'Call the API (done)' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Call the API (done)' }).waitFor()
})

test('the page of a merchant without a shop waits for nothing', async () => {
  const other = await makeMerchant(stage.server)
  await other.offer('sandbox')
  const own = await openBrowser()
  const demo = await own.context.newPage()
  const { problems } = watchPage(demo, [stage.origin])
  await signIn(demo, stage.origin, other.email)
  await demo.goto(`${stage.origin}/demo`)
  await demo.getByRole('heading', { name: 'Which platform is your shop on?' }).waitFor()
  await expect.poll(() => demo.locator('.skeleton').count()).toBe(0)
  expect(await axeViolations(demo)).toEqual([])
  expect(problems).toEqual([])
  await own.close()
})

test('a card tells the last run from the last sync that worked', async () => {
  await page.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
  await page.goto(`${stage.origin}/demo`)
  const card = page.locator('entrepot-integrations li.card').first()
  await card.getByText('Last run', { exact: true }).waitFor()
  expect(await card.getByText('Last sync').count()).toBe(0)
})

test('a schedule begins with orders, in the time zone of the browser', async () => {
  await page.goto(`${app}/schedules?integration=${shop}`)
  await page.getByRole('button', { name: 'Add a schedule' }).first().click()
  expect(await page.getByLabel('What', { exact: true }).locator('option:checked').innerText()).toBe('Fetch orders')
  const zone = String(await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'))
  expect(await page.getByLabel('Time zone').inputValue()).toBe(zone)
  await page.keyboard.press('Escape')
})

test('an address that is not there is a page with a way on', async () => {
  await page.goto(`${stage.origin}/nope`)
  await page.getByRole('heading').first().waitFor()
  expect(await page.getByRole('link').count()).toBeGreaterThan(0)
  expect(await axeViolations(page)).toEqual([])
})

test('a way back from a platform that led nowhere says whose page it is and what to do', async () => {
  await page.goto(`${stage.origin}/api/1.0/app_callback/shopify?state=used&code=used`)
  await page.getByText('Entrepot', { exact: true }).waitFor()
  await page.getByText('Close this window to go back, and try again there.').waitFor()
})

describe('the guides', () => {
  test('have a table of contents, a button at every example, and the address of the service', async () => {
    await page.goto(`${stage.origin}/docs/guides/webhooks`)
    const examples = await page.locator('pre').count()
    expect(examples).toBeGreaterThan(2)
    await expect.poll(() => page.getByRole('button', { name: 'Copy' }).count()).toBe(examples)
    await page.getByRole('navigation', { name: 'On this page' }).waitFor()
    await page.goto(`${stage.origin}/docs/guides/quick-start`)
    expect(await page.locator('main').innerText()).not.toContain('127.0.0.1:3000')
  })

  test('the page of one’s own fits a phone', async () => {
    const guide = await readFile(new URL('../../docs/guides/quick-start.md', import.meta.url), 'utf8')
    expect(guide).toContain('<meta name="viewport" content="width=device-width">')
  })
})
