import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { otherLanguages } from '../../web/components/words/languages.ts'
import { data, installed, rows } from '../integrations/support.ts'
import { installOn } from '../support/simulated.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { bothSchemes, type HostIn, hostIn, shareStock } from './support/embedded.ts'
import { openStage, type Stage } from './support/stage.ts'

/** What merchants do with their shops, inside somebody else's page. */

let stage: Stage
let browser: Browser
let integration: number
let shop: string

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  const made = await installed(stage.merchant, { orders: 12 })
  integration = Number(made['id'])
  shop = String(made['shop'])
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const host: HostIn = (body, options) => hostIn({ stage, browser }, body, options)

const read = async () => data(await stage.merchant.asAccount('GET', `/integrations/${integration}`))
const status = async () => (await read())['status']
const isActive = async () => (await read())['active']

type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>

async function wordsIn(code: string): Promise<Words> {
  const module = (await import(`../../web/components/words/${code}.ts`)) as Record<string, Words>
  return module[code === 'en' ? 'en' : 'words'] ?? {}
}

/** What these elements say in English, and otherwise in another language. */
const englishOnly = (en: Words, words: Words): string[] =>
  ['integrations', 'schedules', 'logs', 'order', 'connect', 'stock'].flatMap((section) => {
    const theirs = Object.values(words[section] ?? {})
    const ours = Object.values(en[section] ?? {})
    return ours.filter((text): text is string => typeof text === 'string' && text !== '' && !theirs.includes(text))
  })

/** The words of every element of a page, those within shadow trees too. */
async function saidBy(page: Page): Promise<ReadonlySet<string>> {
  const texts = await page.evaluate(`(() => {
    const found = new Set()
    const walk = (node) => {
      for (const element of node.querySelectorAll('*')) {
        found.add(element.textContent.replace(/\\s+/g, ' ').trim())
        if (element.shadowRoot) walk(element.shadowRoot)
      }
    }
    walk(document)
    return [...found]
  })()`)
  return new Set(texts as string[])
}

describe('<entrepot-integrations>', () => {
  test('pauses, resumes, and fetches orders', async () => {
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await isActive()).toBe(false)
    await bothSchemes(page)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Fetch orders now' }).click()
    await page.getByText('Fetching has begun.').waitFor()
    expect(await isActive()).toBe(true)
    await close()
  })

  test('connects a shop again whose keys no longer count', async () => {
    await stage.server.context.db
      .updateTable('integrations')
      .set({ status: 'ERROR', status_reason: 'credentials_rejected' })
      .where('id', '=', integration)
      .execute()
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    await page.getByText('The shop rejected our credentials').waitFor()
    await page.getByRole('button', { name: 'Connect again' }).click()
    await page.getByLabel('API key').fill('good-again')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(`${shop} is connected`).waitFor()
    expect(await status()).toBe('ACTIVE')
    await close()
  })
})

describe('<entrepot-schedules>', () => {
  test('writes cron for what people choose, and runs it now', async () => {
    const { page, close } = await host(`<entrepot-schedules integration="${integration}"></entrepot-schedules>`)
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByLabel('When').selectOption('weeks')
    await page.getByLabel('At', { exact: true }).fill('08:30')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    expect(await page.locator('.preview li').count()).toBe(5)
    await bothSchemes(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Monday, Tuesday, Wednesday, Thursday, and Friday at 08:30').waitFor()
    const path = `/integrations/${integration}?include=schedules`
    const { schedules } = data(await stage.merchant.asAccount('GET', path)) as { schedules: Record<string, unknown>[] }
    expect(schedules).toMatchObject([{ cron: '30 8 * * 1,2,3,4,5', timezone: 'Europe/Berlin' }])
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('It has been started.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('No schedules yet').waitFor()
    await close()
  })
})

describe('<entrepot-logs>', () => {
  test('finds entries by level and words, and opens a run', async () => {
    const { page, close } = await host(`<entrepot-logs integration="${integration}"></entrepot-logs>`)
    await page
      .getByRole('button', { name: /^Run \d+$/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'All runs' }).waitFor()
    await bothSchemes(page)
    await page.getByRole('button', { name: 'All runs' }).click()
    await page.getByLabel('Search the log').fill('nothing has these words')
    await page.getByText('No entry matches.').waitFor()
    await close()
  })
})

describe('<entrepot-order>', () => {
  test('shows the passport of an order, and why another is not there', async () => {
    const list = () => stage.merchant.asAccount('GET', `/orders?integration_id=${integration}&per_page=1`)
    await expect.poll(async () => rows(await list()).length).toBe(1)
    const number = String(rows(await list())[0]?.['number'])
    const { page, close } = await host(`<entrepot-order number="${number}"></entrepot-order>`)
    await page.getByText('Order stored as').waitFor()
    await bothSchemes(page)
    await page.getByLabel('Order number').fill('9999')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No order with this number').waitFor()
    await close()
  })
})

describe('every element', () => {
  test('gets a new token without a reload when the old one no longer counts', async () => {
    let asked = 0
    const tokens = async () => (asked++ === 0 ? 'no-longer-valid' : await stage.accountToken())
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>', { tokens })
    await page.getByText(shop).first().waitFor()
    expect(asked).toBe(2)
    await close()
  })

  test('shows markup in what people and shops have written as text', async () => {
    const canary = `"><img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`
    await stage.merchant.asAccount('PUT', `/integrations/${integration}`, { name: canary, description: canary })
    const { db } = stage.server.context
    await sql`update integration_logs set message = ${canary} where integration_id = ${integration}`.execute(db)
    await sql`update orders set remote_status = ${canary} where integration_id = ${integration}`.execute(db)
    const { page, close } = await host(
      `<entrepot-connect></entrepot-connect><entrepot-integrations></entrepot-integrations>
      <entrepot-logs integration="${integration}"></entrepot-logs>`,
    )
    for (const element of ['entrepot-integrations', 'entrepot-logs']) {
      await page.locator(element).getByText(canary).first().waitFor()
    }
    expect(await page.title()).toBe('Outsider')
    await close()
  })

  test('is accessible and fits in German, from right to left, on a narrow page, under a long name', async () => {
    const name = `${'Ein langer Name '.repeat(8)}${'Schifffahrtsgesellschaft'.repeat(2)}`
    await stage.merchant.asAccount('PUT', `/integrations/${integration}`, { name })
    await shareStock(stage, integration)
    const [article] = rows(await stage.merchant.asAccount('GET', '/stock/articles?per_page=1&sort=sku'))
    data(await stage.merchant.asAccount('PUT', `/stock/articles/${article?.['id']}`, { name }))
    const body = ['schedules', 'logs', 'integrations', 'order', 'connect', 'stock']
      .map((one) => `<entrepot-${one} integration="${one === 'connect' ? '' : integration}"></entrepot-${one}>`)
      .join('')
    const { page, close } = await host(body, { language: 'de', direction: 'rtl' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText(name.trim()).first().waitFor()
    await page.getByRole('button', { name: 'Zeitplan anlegen' }).click()
    await page.getByText('Die nächsten fünf Läufe').waitFor()
    await bothSchemes(page)
    await page.keyboard.press('Escape')
    await bothSchemes(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    for (const code of otherLanguages) {
      const words = await wordsIn(code)
      await page.locator('main > *').evaluateAll((all, lang) => {
        for (const element of all) Object.assign(element, { lang })
      }, code)
      await page.getByText(String(words['integrations']?.['lastRun']), { exact: true }).first().waitFor()
      await page.getByText(String(words['stock']?.['onHand']), { exact: true }).first().waitFor()
      // What is on the page, and what a count asks.
      const english = englishOnly(await wordsIn('en'), words)
      const { count, countHelp } = words['stock'] ?? {}
      const asking = page.getByText(String(countHelp), { exact: true })
      for (const isAsked of [false, true]) {
        if (isAsked) await page.getByRole('button', { name: `${count}: ${name.trim()}` }).click()
        await asking.waitFor({ state: isAsked ? 'visible' : 'detached' })
        // Whether its colours can be read does not depend on the language.
        expect([code, await axeViolations(page)]).toEqual([code, []])
        expect([code, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([code, 390])
        const said = await saidBy(page)
        expect(said).toContain(words['stock']?.['onHand'])
        expect([code, english.filter((text) => said.has(text))]).toEqual([code, []])
      }
      await page.keyboard.press('Escape')
    }
    await close()
  })

  test('has a logo of the merchant’s own in the place of the platform’s', async () => {
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    const picture = await sharp({ create: { width: 120, height: 60, channels: 3, background: '#0a7d5a' } })
      .png()
      .toBuffer()
    const field = page.getByLabel('Change logo')
    await field.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
    await page.getByText('The logo has been changed.').waitFor()
    const { logo } = await read()
    expect(String(logo)).toMatch(/\/logos\//)
    const shown = page.locator('entrepot-integrations img')
    await expect.poll(() => shown.getAttribute('src')).toContain(new URL(String(logo), stage.origin).pathname)
    const width = `(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('entrepot-integrations').shadowRoot.querySelector('img'))`
    expect(await page.evaluate(width)).toBe(120)
    await bothSchemes(page)
    await close()
  })

  test('a logo that is no picture is refused, and the shop keeps the one it has', async () => {
    const { logo } = await read()
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    const text = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
    await page.getByLabel('Change logo').setInputFiles(text)
    await page.getByRole('alert').getByText('must be an image').waitFor()
    expect((await read())['logo']).toBe(logo)
    await close()
  })

  test('uninstalls only after a question', async () => {
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await status()).toBe('ACTIVE')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Disconnect shop' }).click()
    await page.getByText('This shop has been disconnected.').waitFor()
    expect(await status()).toBe('UNINSTALLED')
    await close()
  })
})

describe('statuses that a shop made up', () => {
  test('are explained in its card, and choose among its orders', async () => {
    const { merchant } = stage
    const made = await stage.simulated.open({ platform: 'woocommerce', orders: 30 })
    const { base_url } = made.install.settings
    const { id } = data(await installOn(merchant, made, { settings: { base_url } }))
    const read = async () => data(await merchant.asApp('GET', `/integrations/${id}`))
    const { page, close } = await host(
      `<entrepot-integrations></entrepot-integrations><entrepot-order integration="${id}"></entrepot-order>`,
    )
    const card = page.locator('li.card').filter({ hasText: made.shop })
    await card.getByText('Statuses of orders').click()
    await card.getByRole('button', { name: 'Ask the shop for its statuses' }).click()
    const meaning = card.getByLabel('What awaiting-pickup means')
    await expect.poll(() => meaning.inputValue()).toBe('')
    await bothSchemes(page)
    await meaning.selectOption('open')
    await expect
      .poll(async () => (await read())['settings'])
      .toEqual({ base_url, order_statuses: [{ status: 'awaiting-pickup', means: 'open' }] })
    await expect.poll(() => meaning.inputValue()).toBe('open')
    const orders = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`))
    await expect.poll(async () => (await orders()).length).toBe(30)
    const wanted = (await orders()).filter(({ remote_status: word }) => word === 'completed')
    await page.reload()
    const list = page.locator('entrepot-order')
    await list.getByLabel('In the shop').selectOption('completed')
    const shown = list.locator('tbody tr td:nth-child(3)')
    await expect.poll(async () => new Set(await shown.allInnerTexts())).toEqual(new Set(['completed']))
    expect(await shown.count()).toBe(Math.min(20, wanted.length))
    await bothSchemes(page)
    const [first = ''] = await list.locator('tbody button').allInnerTexts()
    // By its name: which is the first may change while the list is read again.
    await list.locator('tbody').getByRole('button', { name: first, exact: true }).click()
    await list.getByRole('heading', { name: `Order ${first}` }).waitFor()
    await close()
  })
})
