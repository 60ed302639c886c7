import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, installed, meta, rows } from '../integrations/support.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { bothSchemes, type HostIn, hostIn, shareStock } from './support/embedded.ts'
import { openStage, type Stage } from './support/stage.ts'

/** What merchants do with stock that their shops share, inside somebody else's page. */

let stage: Stage
let browser: Browser
let integration: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  integration = Number((await installed(stage.merchant, { orders: 12 }))['id'])
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const host: HostIn = (body, options) => hostIn({ stage, browser }, body, options)

describe('<entrepot-stock>', () => {
  test('says what it is for where shops share no stock yet; shows articles, finds them and counts them', async () => {
    const { page, close } = await host('<entrepot-stock></entrepot-stock>')
    await page.getByText('No shared stock yet').waitFor()
    await bothSchemes(page)
    const sku = await shareStock(stage, integration)
    await page.reload()
    await page.getByText('Trial: shops are not told anything yet.').waitFor()
    await page.getByLabel('Search by name').fill('nothing is called this')
    await page.getByText('No article matches “nothing is called this”.').waitFor()
    await page.getByLabel('Search by name').fill(sku.toLowerCase())
    const card = page.locator('li.card').filter({ hasText: sku })
    await expect.poll(() => page.locator('li.card').count()).toBe(1)
    await card.getByRole('button', { name: /^Count/ }).click()
    await page.getByRole('button', { name: 'Save the count' }).click()
    await page.getByText('A whole number, at least 0.').waitFor()
    await bothSchemes(page)
    await page.getByLabel('Pieces that are there').fill('1234')
    await page.getByRole('button', { name: 'Save the count' }).click()
    await page.getByText('The count has been saved.').waitFor()
    await card.getByText('1,234').first().waitFor()
    await card.getByText('soon 1,234').waitFor()
    const [article] = rows(await stage.merchant.asAccount('GET', `/stock/articles?filter[sku]=${sku}`))
    expect(article).toMatchObject({ on_hand: 1234 })
    await bothSchemes(page)
    await close()
  })

  test('says in German that an answer was lost; the same count again is one, another one counts anew', async () => {
    const { page, problems, close } = await host('<entrepot-stock></entrepot-stock>', { language: 'de' })
    const card = page.locator('li.card').first()
    await card.getByRole('button', { name: /^Zählen/ }).click()
    const counted = page.getByLabel('Stück, die da sind')
    const save = page.getByRole('button', { name: 'Zählung speichern' })
    const loseAnswer = () =>
      page.route(
        '**/stock/movements',
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
    const booked = async () => Number(meta(await stage.merchant.asAccount('GET', '/stock/movements'))['total'])
    const before = await booked()
    await loseAnswer()
    await counted.fill('40')
    await save.click()
    await page.getByText('Der Dienst ist nicht erreichbar.').waitFor()
    await bothSchemes(page)
    await save.click()
    await page.getByText('Die Zählung ist gespeichert.').waitFor()
    expect(await booked()).toBe(before + 1)
    await card.getByRole('button', { name: /^Zählen/ }).click()
    await loseAnswer()
    await counted.fill('41')
    await save.click()
    await page.getByText('Der Dienst ist nicht erreichbar.').waitFor()
    await counted.fill('42')
    await save.click()
    await card.getByText('42', { exact: true }).first().waitFor()
    expect(await booked()).toBe(before + 3)
    expect(problems.splice(0)).toEqual(Array(2).fill(expect.stringContaining('net::ERR_FAILED')))
    await close()
  })

  test('counts nothing with a token that may only read, and fits a phone from right to left in Polish', async () => {
    const tokens = async () => {
      const asked = { scopes: ['webcomponent:integration-read'] }
      const intent = data(await stage.merchant.asApp('POST', `/intent/${stage.merchant.remoteId}`, asked))
      const body = new URLSearchParams({ grant_type: 'intent_token', intent_token: String(intent['token']) })
      const answer = await fetch(`${stage.origin}/oauth/token`, { method: 'POST', body })
      return String(((await answer.json()) as { access_token?: string }).access_token)
    }
    const { page, close } = await host('<entrepot-stock></entrepot-stock>', {
      ...{ tokens, language: 'pl', direction: 'rtl' as const },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('li.card').first().waitFor()
    expect(await page.getByRole('button', { name: /^Policz/ }).count()).toBe(0)
    await bothSchemes(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await close()
  })
})
