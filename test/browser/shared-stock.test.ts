import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { data, installed, rows } from '../integrations/support.ts'
import { makeUser } from '../support/identity.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** The shared stock in the console: what could not be linked is decided there, and an article shows what its shops were told and what they showed. */
let stage: Stage
let [browser, phone]: Browser[] = []
let page: Page
let shop: number
let article: number
const canary = `<b>TWIN</b>`

beforeAll(async () => {
  stage = await openStage(['sandbox'])
  ;[browser, phone] = [await openBrowser(), await openBrowser({ width: 390, height: 844, dark: true })]
  const { merchant, server } = stage
  shop = Number((await installed(merchant, { orders: 3 }))['id'])
  const levels = async () => rows(await merchant.asAccount('GET', `/inventory?integration_id=${shop}`))
  await until(async () => (await levels()).length > 0)
  const level = (sku: string, id: string, location = '') => ({
    ...{ sku, remote_id: id, location, quantity: 3, remote_version: null },
  })
  const twins = Array.from({ length: 30 }, (_, n) => [
    level(`${canary}-${n}`, `a${n}`),
    level(`${canary}-${n}`, `b${n}`),
  ])
  await server.context.transaction((trx) =>
    upsertSyncedLevels(trx, shop, [
      ...twins.flat(),
      level('0-APRON', 'apron', 'north'),
      level('0-APRON', 'apron', 'south'),
    ]),
  )
  data(await merchant.asAccount('PUT', '/stock', {}))
  data(await merchant.asAccount('PUT', `/stock/shops/${shop}`, {}))
  const skus = [...Array.from({ length: 30 }, (_, n) => `${canary}-${n}`), '0-APRON']
  const { articles } = data(
    await merchant.asAccount('POST', '/stock/articles/import', { csv: ['sku', ...skus].join('\n') }),
  )
  expect(articles).toBe(31)
  article = Number(rows(await merchant.asAccount('GET', '/stock/articles?filter[sku]=0-APRON'))[0]?.['id'])
  ;({ page } = await openConsole(browser as Browser, stage))
})
afterAll(async () => {
  await browser?.close()
  await phone?.close()
  await stage.close()
})

const address = (rest = '') =>
  `${stage.origin}/console/apps/${stage.merchant.appId}/shared-stock${rest}?account=${encodeURIComponent(stage.merchant.remoteId)}`
const listed = (where: Page) => where.getByRole('table', { name: 'Not linked' })
const pages = () => page.getByRole('navigation', { name: 'Pages of what is not linked' })

test('what could not be linked is listed page by page, and decided', async () => {
  await page.goto(address())
  await page.getByRole('button', { name: 'Show what could not be linked' }).click()
  await listed(page).getByText('0-APRON').first().waitFor()
  expect(await listed(page).getByRole('row').count()).toBe(26)
  await pages().getByText('1–25 of 31').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('row').filter({ hasText: '0-APRON' }).getByRole('button', { name: 'Decide' }).click()
  await page.getByLabel('Location').selectOption('south')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByText('The article has been linked.').waitFor()
  await pages().getByText('1–25 of 30').waitFor()
  expect(await listed(page).getByText('0-APRON').count()).toBe(0)
  const [link] = data(await stage.merchant.asAccount('GET', `/stock/articles/${article}`))['links'] as unknown[]
  expect(link).toMatchObject({ location: 'south', made_by: 'hand' })
  await pages().getByRole('button', { name: 'Next' }).click()
  await pages().getByText('26–30 of 30').waitFor()
})

test('a shop shares the stock and shows what its rule says, and the last pieces are dealt out', async () => {
  const { merchant } = stage
  const { id: second, name } = await installed(merchant, { orders: 0 })
  await page.goto(address())
  const shops = page.getByRole('table', { name: 'Shops and their rules' })
  await shops.getByText('Does not share the stock').waitFor()
  await page.getByRole('button', { name: `Share the stock with ${name}` }).click()
  await page.getByText(`The rule of ${name} has been saved.`).waitFor()
  await page.getByRole('button', { name: `Change rule of ${name}` }).click()
  await page.getByLabel('Share in percent').fill('50')
  await page.getByLabel('Kept back').fill('2')
  await page.getByLabel('At most').fill('40')
  await page.getByLabel('When somebody changes the number in the shop').selectOption('believe')
  await page.getByLabel('Orders for which nothing is left are cancelled in the shop').check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await shops.getByText('50 % of what is available, 2 kept back, at most 40').waitFor()
  const pool = async () => data(await merchant.asAccount('GET', '/stock'))
  const rule = async () =>
    ((await pool())['shops'] as { integration_id: number }[]).find((one) => one.integration_id === second)
  expect(await rule()).toMatchObject({
    ...{ share_percent: 50, margin: 2, cap: 40, minimum: 0, multiple: 1, location: null },
    ...{ by_hand: 'believe', cancel_oversold: true, active: true },
  })
  await page.getByRole('button', { name: `Change rule of ${name}` }).click()
  await page.getByLabel('Share in percent').fill('101')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must not be greater than 100').waitFor()
  await page.getByRole('button', { name: 'Take out of the stock' }).click()
  await page.getByText(`${name} no longer shares the stock.`).waitFor()
  expect(await rule()).toBeUndefined()
  await page.getByRole('button', { name: 'Change how the last pieces are offered' }).click()
  await page.getByLabel('Deal out when fewer are left than').fill('5')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('fewer than 5 are left').waitFor()
  expect(await pool()).toMatchObject({ deal_below: 5 })
  data(await merchant.asAccount('PUT', '/stock', { deal_below: 0 }))
})

test('whoever may only look sees why, and decides nothing', async () => {
  const { companyId } = stage.merchant
  const { email } = await makeUser(stage.server.context, {
    ...{ company_id: companyId, permissions: ['read-integration'] },
  })
  const own = await (phone as Browser).context.newPage()
  await signIn(own, stage.origin, email)
  await own.goto(`${address()}&conflicts=1`)
  await listed(own).getByText('Several variants of the shop have this SKU.').first().waitFor()
  expect(await own.getByRole('button', { name: 'Decide' }).count()).toBe(0)
  expect(await own.getByRole('button', { name: 'Link by SKU' }).count()).toBe(0)
  await own.getByRole('table', { name: 'Shops and their rules' }).getByText('All that is available').first().waitFor()
  expect(await own.getByRole('button', { name: /rule|last pieces/ }).count()).toBe(0)
  expect(await axeViolations(own)).toEqual([])
  expect(await own.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await own.close()
})

test('an article shows over time what its shop was told and what it showed', async () => {
  const { db } = stage.server.context
  await sql`
    with told as (
      insert into stock_tellings (link_id, quantity, was, sent_at, accepted_at, confirmed_at)
      select id, 9, 3, now() - interval '2 hours', now() - interval '2 hours', now() - interval '119 minutes'
      from stock_links where article_id = ${article} returning link_id
    )
    insert into stock_sightings (link_id, at, expected, found, resolution)
    select link_id, now() - interval '1 hour', 9, 4, null from told
    union all select link_id, now() - interval '59 minutes', 9, 4, 'corrected' from told`.execute(db)
  await page.goto(
    `${stage.origin}/console/apps/${stage.merchant.appId}/shared-stock/${encodeURIComponent(stage.merchant.remoteId)}/articles/${article}`,
  )
  const figures = page.getByRole('table', { name: 'Told and shown' })
  await figures.waitFor({ state: 'attached' })
  const said = await figures
    .locator('tbody tr')
    .evaluateAll((found) => found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim())))
  expect(said).toEqual([
    ['9 pieces', '3 pieces'],
    ['9 pieces', '9 pieces'],
    ['9 pieces', '4 pieces'],
    ['9 pieces', '4 pieces'],
  ])
  await page.getByText('to 4, told again').waitFor()
  await page.locator('ep-chart canvas').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
})
