import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { otherLanguages } from '../../web/components/words/languages.ts'
import { data, rows } from '../integrations/support.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { type HostPage, openHostPage } from './support/host-page.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** A merchant connects shops inside somebody else's page, with real clicks; each way fails once before it works. */

let stage: Stage
let browser: Browser
let host: HostPage

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  host = await openHostPage({
    service: stage.origin,
    body: '<entrepot-connect></entrepot-connect>',
    token: stage.accountToken,
  })
})
afterAll(async () => {
  await host.close()
  await browser.close()
  await stage.close()
})
afterEach(() => stage.simulated.close())

async function openPage(from: HostPage = host): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.context.newPage()
  const { problems } = watchPage(page, [from.origin, stage.origin])
  await page.goto(from.url)
  return { page, problems }
}

const events = (page: Page) => page.evaluate('window.events') as Promise<[string, Record<string, unknown>][]>

describe('a shop is connected in the page of an outsider', () => {
  test('by typed keys, after wrong ones have been shown at their field', async () => {
    const { page, problems } = await openPage()
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
    await page.getByLabel('Address of the shop').fill('keys.example.com')
    await page.getByLabel('API key').fill('bad-key')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('was rejected by the shop').waitFor()
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true')
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('API key').fill('good-key')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('keys.example.com is connected').waitFor()
    expect((await events(page)).map(([name]) => name)).toEqual(['entrepot-connect-failed', 'entrepot-connected'])
    expect(await axeViolations(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('and what was chosen and typed stays, although the page lets it in a second time', async () => {
    const page = await browser.context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(host.url)
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
    expect(asked.filter((path) => path.endsWith('/webcomponent/services'))).toHaveLength(1)
    await page.getByLabel('Address of the shop').fill('typed.example.com')
    await page.evaluate('document.querySelector("entrepot-connect").begin()')
    expect(await page.getByLabel('Address of the shop').inputValue()).toBe('typed.example.com')
    await page.close()
  })

  test('another one instead of it, and nothing that was typed for the first is kept', async () => {
    const connected = async (shop: string) => {
      const body = { name: shop, shop, credentials: { api_key: 'good-key' } }
      return data(await stage.merchant.asAccount('POST', '/service/sandbox/install', body))['id']
    }
    const first = await connected('first.example.com')
    const other = await connected('other.example.com')
    const { page } = await openPage()
    const show = (id: unknown) =>
      page.evaluate(`document.querySelector("entrepot-connect").setAttribute("integration", "${id}")`)
    await show(first)
    await page.getByRole('heading', { name: 'first.example.com' }).waitFor()
    await page.getByLabel('API key').fill('meant for the first')
    await show(other)
    await page.getByRole('heading', { name: 'other.example.com' }).waitFor()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    await page.close()
  })

  test('a second time only after a warning, which offers to connect it again', async () => {
    const connected = async () =>
      rows(await stage.merchant.asAccount('GET', '/integrations?shop=twice.example.com')).map(({ id }) => id)
    const { page, problems } = await openPage()
    const connect = async () => {
      await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
      await page.getByLabel('Address of the shop').fill('https://Twice.example.com/')
      await page.getByLabel('API key').fill('good-key')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
    }
    await connect()
    await page.getByText('twice.example.com is connected').waitFor()
    const [first] = await connected()
    for (const choice of ['Connect it again', 'Connect it a second time']) {
      await page.getByRole('button', { name: 'Connect another shop' }).click()
      await connect()
      await page.getByText('twice.example.com is already connected').waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: choice }).click()
      await page.getByText('twice.example.com is connected').waitFor()
      expect(await connected()).toEqual(choice === 'Connect it again' ? [first] : [first, expect.any(Number)])
    }
    expect(problems).toEqual([])
    await page.close()
  })

  test.each(['shopify', 'woocommerce'])('by %s in a window of the platform, after a denial', async (type) => {
    const shop = await stage.simulated.open({ platform: type, orders: 5, products: 2, seed: `page ${type}` })
    const { client, settings } = shop.install
    const path = `/apps/${stage.merchant.appId}/services/${stage.services[type]}`
    if (type === 'shopify') await stage.merchant.asUser('PUT', path, { client })
    const name = String(
      ((await stage.merchant.asUser('GET', `/api/1.0/services/${type}`)).json['data'] as { name: string }).name,
    )
    const { page, problems } = await openPage()
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByLabel('Address of the shop').fill(shop.shop)
    if (settings['base_url']) {
      await page.getByText('More settings').click()
      await page.getByLabel('Full address of the site').fill(String(settings['base_url']))
    }

    const decide = async (decision: 'Allow' | 'Deny') => {
      const opening = page.waitForEvent('popup')
      await page.getByRole('button', { name: `Continue to ${name}` }).click()
      const window = await opening
      const closing = decision === 'Allow' ? window.waitForEvent('close') : null
      await window.getByRole('button', { name: `Continue to ${name}` }).click()
      await window.getByRole('button', { name: decision }).click()
      await closing
      return window
    }
    const window = await decide('Deny')
    await page.getByRole('alert').waitFor()
    await window.close()
    await decide('Allow')
    await page.getByText('is connected').waitFor()
    expect((await events(page)).at(-1)?.[0]).toBe('entrepot-connected')
    expect(problems).toEqual([])
    await page.close()
  })

  test('in a page whose policy allows nothing but itself', async () => {
    const closed = await openHostPage({
      service: stage.origin,
      body: '<entrepot-connect service="sandbox"></entrepot-connect>',
      token: stage.accountToken,
      closed: true,
    })
    const { page, problems } = await openPage(closed)
    await page.getByLabel('Address of the shop').fill('closed.example.com')
    await page.getByLabel('API key').fill('good')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('closed.example.com is connected').waitFor()
    expect(problems).toEqual([])
    await page.close()
    await closed.close()
  })

  test('in German, from right to left, on a phone, in the dark', async () => {
    const phone = await openBrowser({ width: 390, height: 844, dark: true })
    const german = await openHostPage({
      service: stage.origin,
      body: '<entrepot-connect></entrepot-connect>',
      token: stage.accountToken,
      language: 'de',
      direction: 'rtl',
    })
    const page = await phone.context.newPage()
    await page.goto(german.url)
    await page.getByRole('heading', { name: 'Auf welcher Plattform ist Ihr Shop?' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    for (const code of otherLanguages) {
      const { words } = (await import(`../../web/components/words/${code}.ts`)) as {
        words: { connect: Record<'pick' | 'haveCode', string> }
      }
      await page.locator('entrepot-connect').evaluate((element, lang) => Object.assign(element, { lang }), code)
      await page.getByRole('heading', { name: words.connect.pick }).waitFor()
      await page.getByRole('button', { name: words.connect.haveCode }).waitFor()
      expect([code, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([code, 390])
    }
    await german.close()
    await phone.close()
  })
})

test('before the platform, a page says which shop goes to which account of which app, at any width and in the dark', async () => {
  const shop = await stage.simulated.open({ platform: 'woocommerce', orders: 1, products: 1, seed: 'page trip' })
  const body = { name: 'Trip', shop: shop.shop, settings: shop.install.settings }
  const made = await stage.merchant.asAccount('POST', '/service/woocommerce/install', body)
  const address = String((made.json['data'] as { authorization_url: string }).authorization_url)
  for (const width of [1440, 390]) {
    const window = await openBrowser({ width, height: 844 })
    const page = await window.context.newPage()
    const { problems } = watchPage(page, [stage.origin])
    await page.goto(address)
    await page.getByRole('heading', { name: 'Connect a shop' }).waitFor()
    for (const part of [shop.shop, stage.merchant.remoteId])
      expect(await page.locator('dl').innerText()).toContain(part)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page)).toEqual([])
    }
    expect(problems).toEqual([])
    await window.close()
  }
})

test('a shop that is installed from the platform shows its code, at any width and in the dark', async () => {
  const shop = await stage.simulated.open({ platform: 'shopify', orders: 2, products: 1, seed: 'page code' })
  const { client } = shop.install
  const registration = `/apps/${stage.merchant.appId}`
  await stage.merchant.asUser('PUT', `${registration}/services/${stage.services['shopify']}`, { client })
  await stage.merchant.asUser('PUT', registration, { return_urls: ['https://app.example/connected'] })
  const query = `shop=${shop.shop}&timestamp=${Math.floor(Date.now() / 1000)}`
  const hmac = createHmac('sha256', String(client['client_secret'])).update(query).digest('hex')
  const phone = await openBrowser({ width: 390, height: 844, dark: true })
  const page = await phone.context.newPage()
  const { problems } = watchPage(page, [shop.baseUrl, stage.origin])
  await page.goto(`${stage.origin}/api/2.0/platforms/shopify/${stage.merchant.appId}/open?${query}&hmac=${hmac}`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  const code = await page.locator('.code').innerText()
  expect(await page.getByRole('link', { name: /^Continue in / }).getAttribute('href')).toContain(code)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }
  expect(problems).toEqual([])
  await phone.close()

  // The merchant's own page, where the code is typed; a wrong one first.
  const { page: own, problems: others } = await openPage()
  await own.getByRole('button', { name: 'I have a code from the platform' }).click()
  await own.getByLabel('Code').fill('0000-0000-0000')
  await own.getByRole('button', { name: 'Connect', exact: true }).click()
  await own.locator('#code-error:not(:empty)').waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await own.emulateMedia({ colorScheme })
    expect(await axeViolations(own)).toEqual([])
  }
  await own.getByLabel('Code').fill(code)
  await own.getByRole('button', { name: 'Connect', exact: true }).click()
  await own.getByText(`${shop.shop} is connected`).waitFor()
  expect((await events(own)).at(-1)).toMatchObject(['entrepot-connected', { type: 'shopify', shop: shop.shop }])
  expect(others).toEqual([])
  await own.close()
})

test('a page that a platform shows within its own is shown there, and nowhere else', async () => {
  const shop = await stage.simulated.open({ platform: 'bigcommerce', orders: 1, products: 1, seed: 'framed' })
  const { client } = shop.install
  const own = { auth_callback_url: `${stage.origin}/api/2.0/platforms/bigcommerce/${stage.merchant.appId}/callback` }
  const registration = `/apps/${stage.merchant.appId}/services/${await stage.merchant.offer('bigcommerce')}`
  await stage.merchant.asUser('PUT', registration, { client: { ...client, ...own } })
  const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    aud: client['client_id'],
    iss: 'bc',
    iat: now,
    nbf: now,
    exp: now + 600,
    sub: `stores/${hashOf(shop.shop)}`,
  }
  const signed = `${base64url({ typ: 'JWT', alg: 'HS256' })}.${base64url({ ...claims, user: { id: 1 }, owner: { id: 1 } })}`
  const jwt = `${signed}.${createHmac('sha256', String(client['client_secret'])).update(signed).digest('base64url')}`
  const path = `/api/2.0/platforms/bigcommerce/${stage.merchant.appId}/open?signed_payload_jwt=${jwt}`
  // By TLS, as it would be there: browsers show nothing else within a page that came so.
  const service = 'https://entrepot.example'
  const shown = async (origin: string) => {
    const page = await browser.context.newPage()
    const body = `<!doctype html><title>Panel</title><iframe title="App" src="${service}${path}"></iframe>`
    await page.route(`${origin}/*`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.route(`${service}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: `${stage.origin}${pathname}${search}` }) })
    })
    const refused = page.waitForEvent('console', (said) => said.text().includes('frame-ancestors'))
    await page.goto(`${origin}/manage`)
    const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Not connected' })
    const isThere = await Promise.race([heading.waitFor().then(() => true), refused.then(() => false)])
    await page.close()
    return isThere
  }
  expect(await shown(`https://store-${hashOf(shop.shop)}.mybigcommerce.com`)).toBe(true)
  const frame = await fetch(`${stage.origin}${path}`, { headers: { accept: 'text/html' } })
  expect(frame.headers.get('x-frame-options')).toBeNull()
  expect(await shown('https://elsewhere.example')).toBe(false)
})

const hashOf = (shop: string) => /^store-(\w+)\./.exec(shop)?.[1] ?? ''
