import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forceable, say } from '../../src/commerce/words/say.ts'
import { credentials, settings } from '../../src/connectors/woocommerce/settings.ts'
import { linkFor } from '../../src/domain/alerts/sending/link.ts'
import { inboundWords } from '../../src/domain/inbound/inbound-message.ts'
import { insertInbound } from '../../src/domain/inbound/inbound-store.ts'
import { finishDeliveries } from '../../src/domain/inbound/inbound-work-store.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { lockIntegration } from '../../src/domain/integrations/integration-store.ts'
import { shipmentPlan } from '../../src/domain/operations/operation.ts'
import { endAttempt, holdOperation } from '../../src/domain/operations/operation-store.ts'
import { quarantine } from '../../src/domain/sync/quarantine/quarantine-store.ts'
import { setAside } from '../../src/domain/sync/quarantine/why-set-aside.ts'
import { data, installed, rows } from '../integrations/support.ts'
import { freePort } from '../support/process.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openHostPage } from './support/host-page.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/**
 * What the service itself says, to a merchant who reads German: the log, a run that has failed, what went wrong with an order, what a
 * connection asks for, and one that was refused; and its pages, in the window of a platform and behind a link of an alert.
 */

let stage: Stage
let browser: Browser
let integration: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  const made = await installed(stage.merchant, { orders: 12 })
  integration = Number(made['id'])
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

async function german(body: string) {
  const page = await browser.context.newPage()
  const outsider = await openHostPage({ service: stage.origin, body, token: stage.accountToken, language: 'de' })
  const { problems } = watchPage(page, [outsider.origin, stage.origin])
  await page.goto(outsider.url)
  return {
    page,
    async close() {
      expect(problems).toEqual([])
      await page.close()
      await outsider.close()
    },
  }
}

const logs = async () =>
  rows(await stage.merchant.asAccount('GET', `/integrations/${integration}/logs?per_page=100`)) as {
    message: string
    code: string | null
    event: string
  }[]

/** Without what it repeats of somebody else. */
const ours = (text: string): string => text.replace(/„[^“]*“/g, '')

/** As a page shows it. */
const textsOf = async (page: Page, selector: string) => (await page.locator(selector).allInnerTexts()).map(ours)

/** Words that stand in nearly every sentence of English, and in none of German. */
const english = /\b(the|were|has|have|could|of|and|by|from|to|it|is)\b/

/** Orders, products and stock: nothing of the first sync meets the wrong key. */
const isEnded = async () => (await logs()).filter(({ event }) => event === 'run.completed').length >= 3

test('the log and a run that has failed', async () => {
  await expect.poll(isEnded).toBe(true)
  const { context } = stage.server
  await context.transaction(async (trx) => {
    const record = await lockIntegration(trx, integration)
    await saveCredentials(trx, context.keys, record, { credentials: { api_key: 'bad-by-now' }, expiresAt: null })
  })
  data(await stage.merchant.asAccount('POST', `/integrations/${integration}/actions`, { resource: 'sync_orders' }))
  await expect.poll(async () => (await logs()).some(({ event }) => event === 'integration.error')).toBe(true)
  const { page, close } = await german(`<entrepot-logs integration="${integration}"></entrepot-logs>`)
  await page.getByText('Verbindung gestört:').waitFor()
  const shown = await textsOf(page, '[part=entry] .what > p:first-child')
  expect(shown.length).toBeGreaterThan(4)
  expect(shown.filter((text) => english.test(text))).toEqual([])
  const entries = await logs()
  expect(entries.filter(({ code }) => code === null)).toEqual([])
  expect(shown.filter((text) => entries.some(({ message }) => message === text))).toEqual([])
  expect(shown.some((text) => /^Bestellungen geholt: \d+ gelesen/.test(text))).toBe(true)

  await page
    .locator('[part=entry]')
    .filter({ hasText: 'Gescheitert: Der Shop hat diese Angabe nicht angenommen.' })
    .first()
    .getByRole('button', { name: /^Lauf \d+$/ })
    .click()
  await page.getByRole('button', { name: 'Alle Läufe' }).waitFor()
  const [head = ''] = await textsOf(page, '.run')
  expect(head).toContain('Der Shop hat diese Angabe nicht angenommen.')
  expect(head).not.toMatch(english)
  await close()
})

test('what went wrong with an order: in the shop, in its messages, and on the way to an app', async () => {
  const url = `http://127.0.0.1:${await freePort()}/nobody`
  await stage.merchant.asUser('POST', `/apps/${stage.merchant.appId}/webhooks`, { url, events: ['order.created'] })
  const id = Number((await installed(stage.merchant, { orders: 2 }))['id'])
  const orders = async () =>
    rows(await stage.merchant.asAccount('GET', `/orders?integration_id=${id}`)) as {
      number: string
      remote_id: string
    }[]
  await expect.poll(async () => (await orders()).length).toBe(2)
  const [order = expect.fail()] = await orders()
  const { db, reader, transaction } = stage.server.context
  const draft = { order_remote_id: order.remote_id, tracking_number: 'T1' }
  const held = await holdOperation(db, id, { ...shipmentPlan(draft), input: draft }, 'me')
  if (!held) expect.fail()
  const { text: error, ...reason } = forceable(say('on_hold_in_shop', { reason: null }))
  await endAttempt(db, id, held, { status: 'refused', error, reason })
  const message = { topic: 'order.updated', verified: true, kind: 'order', remote_id: order.remote_id }
  const content = { headers: {}, query: {}, body: Buffer.from('{}') }
  await insertInbound(reader, [{ integration_id: id, delivery_id: 'late', ...message, ...content }])
  const { rows: stored } = await reader.query<{ id: number }>(
    `update shop_messages set processed_at = now() where integration_id = $1 and delivery_id = 'late' returning id`,
    [id],
  )
  const failed = { outcome: 'failed', error: inboundWords('message.crashed') } as const
  await transaction((trx) => finishDeliveries(trx, id, [{ id: Number(stored[0]?.id), ...failed }]))

  const { page, close } = await german(`<entrepot-order number="${order.number}" integration="${id}"></entrepot-order>`)
  await page.getByText('Die Bestellung wird im Shop zurückgehalten. Mit „force“ geht es trotzdem.').waitFor()
  await page.getByText('Die Verarbeitung ist wiederholt abgestürzt.').waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('list').waitFor()
      return (await textsOf(page, '[part=step] dd')).join('\n')
    })
    .toContain('Der Empfänger war nicht zu erreichen (ECONNREFUSED).')
  const shown = await textsOf(page, '[part=step] :is(p, dt, dd)')
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.filter((text) => english.test(text))).toEqual([])
  // Names of events are what apps know them by.
  expect(
    shown.filter((text) => /^[a-z]+(_[a-z]+)+$|^(stored|confirmed|refused|failed|completed|pending)$/.test(text)),
  ).toEqual([])
  await close()
})

test('a connection that was refused: by us, by the shop, and a card that says so', async () => {
  const { page, close } = await german(
    '<entrepot-integrations></entrepot-integrations><entrepot-connect service="sandbox"></entrepot-connect>',
  )
  await page.getByText('Der Shop nimmt unsere Schlüssel nicht mehr an.').waitFor()
  expect((await textsOf(page, '.reason')).filter((text) => english.test(text))).toEqual([])
  const form = page.locator('entrepot-connect')
  const refusals = () => textsOf(page, 'entrepot-connect .field-error')
  const submit = form.getByRole('button', { name: 'Verbinden', exact: true })
  await form.getByLabel('API key').fill('bad-key')
  await form.getByLabel('Adresse des Shops').fill('127.0.0.1:8080')
  await submit.click()
  await form.getByText('Bitte eine Adresse wie acme.example').waitFor()
  expect((await refusals()).filter((text) => english.test(text))).toEqual([])
  await form.getByLabel('Adresse des Shops').fill('refused.example.com')
  await submit.click()
  await form.getByText('Der Shop hat diese Angabe nicht angenommen.').waitFor()
  expect((await refusals()).filter((text) => english.test(text))).toEqual([])
  const told = (await page.evaluate('window.events')) as [string, { message: string }][]
  expect(told.map(([name, { message }]) => [name, english.test(ours(message))])).toEqual([
    ['entrepot-connect-failed', false],
    ['entrepot-connect-failed', false],
  ])
  await close()
})

test('what a platform is connected with', async () => {
  const { page, close } = await german('<entrepot-connect service="woocommerce"></entrepot-connect>')
  const form = page.locator('entrepot-connect')
  await form.getByText('Weitere Einstellungen').click()
  await form.getByLabel('Vollständige Adresse der Website').waitFor()
  await form.getByText('Beginnt mit ck_.').waitFor()
  const shown = await textsOf(page, 'entrepot-connect :is(label, .field-help, summary, button, h2)')
  const fields = Object.values({ ...settings.properties, ...credentials.properties }) as { description?: string }[]
  expect(shown.length).toBeGreaterThan(15)
  expect(shown.filter((text) => text === '' || english.test(text))).toEqual([])
  expect(shown.filter((text) => fields.some(({ description }) => description === text))).toEqual([])
  await close()
})

test('the window of the platform speaks what the element speaks, on the way there and back', async () => {
  const shop = await stage.simulated.open({ platform: 'shopify', orders: 1, products: 1, seed: 'window' })
  const registration = `/apps/${stage.merchant.appId}/services/${stage.services['shopify']}`
  await stage.merchant.asUser('PUT', registration, { client: shop.install.client })
  const { page, close } = await german('<entrepot-connect service="shopify" lang="fr"></entrepot-connect>')
  await page.getByLabel('Adresse de la boutique').fill(shop.shop)
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continuer vers Shopify' }).click()
  const window = await opening
  await window.getByRole('heading', { name: 'Connecter une boutique' }).waitFor()
  expect(await window.locator('main').innerText()).not.toMatch(english)
  await window.getByRole('button', { name: 'Continuer vers Shopify' }).click()
  await window.getByRole('button', { name: 'Deny' }).click()
  await window.getByRole('heading', { name: 'Connexion non établie' }).waitFor()
  await window.getByText('L’accès a été refusé sur la plateforme.').waitFor()
  expect(await window.locator('main').innerText()).not.toMatch(english)
  expect(await window.evaluate('[document.documentElement.lang, document.title]')).toEqual([
    'fr',
    'Connexion non établie',
  ])
  await page.getByRole('alert').filter({ hasText: 'L’accès a été refusé sur la plateforme.' }).waitFor()
  await window.close()
  await close()
})

test('an app that was opened on the pages of a platform, and a link of an alert', async () => {
  const german = await openBrowser({ locale: 'de-DE' })
  const page = await german.context.newPage()
  const shop = await stage.simulated.open({ platform: 'shopify', orders: 1, products: 1, seed: 'opened' })
  const { problems } = watchPage(page, [stage.origin, shop.baseUrl])
  const app = `/apps/${stage.merchant.appId}`
  const { client } = shop.install
  await stage.merchant.asUser('PUT', `${app}/services/${stage.services['shopify']}`, { client })
  const query = `shop=${shop.shop}&timestamp=${Math.floor(Date.now() / 1000)}`
  const hmac = createHmac('sha256', String(client['client_secret'])).update(query).digest('hex')
  await page.goto(`${stage.origin}/api/2.0/platforms/shopify/${stage.merchant.appId}/open?${query}&hmac=${hmac}`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Noch ein Schritt' }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(english)

  const address = 'https://hooks.example.com/services/T0/B0/s'
  const channel = await stage.merchant.asUser('POST', `${app}/alert-channels`, { type: 'slack', name: 'Ops', address })
  const id = Number(data(channel)['id'])
  await page.goto(linkFor(stage.server.context, { does: 'stop', channel: id }))
  await page.getByRole('heading', { name: 'Keine Warnungen mehr' }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(english)
  await page.getByRole('button', { name: 'Nicht mehr schicken' }).click()
  await page.getByRole('heading', { name: 'Erledigt' }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(english)
  await page.goto(`${stage.origin}/api/2.0/alerts/links/none`)
  await page.getByRole('heading', { name: 'Dieser Link geht nicht' }).waitFor()
  expect(problems).toEqual([])
  await german.close()
})

test('a window that no element has told speaks what the browser asks for', async () => {
  const polish = await openBrowser({ locale: 'pl-PL' })
  const page = await polish.context.newPage()
  const { problems } = watchPage(page, [stage.origin])
  await page.goto(`${stage.origin}/api/2.0/platforms/trips/guess`)
  await page.getByRole('heading', { name: 'Nie połączono' }).waitFor()
  await page.getByText('Ten link został już użyty, wygasł albo należy do innej przeglądarki.').waitFor()
  await page.getByText('Zamknij to okno').waitFor()
  expect(problems).toEqual([])
  await polish.close()
})

test('why an order was set aside is said in German, with the name of what is wrong', async () => {
  const why = say('lacks_field', { name: 'currency' })
  const about = { integrationId: integration, kind: 'orders', runId: 1 } as const
  await quarantine(stage.server.context.db, about, [setAside('odd-1', why, '{"id":"odd-1","name":"#90210"}')])
  const { page, close } = await german('<entrepot-order number="90210"></entrepot-order>')
  await page.getByText('zurückgestellt: Im Datensatz des Shops fehlt „currency“.').waitFor()
  expect(await page.getByText('has no').count()).toBe(0)
  await close()
})
