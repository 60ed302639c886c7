import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { data } from '../integrations/support.ts'
import { makeUser } from '../support/identity.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

let stage: Stage
let browser: Browser
let path: string

beforeAll(async () => {
  ;[stage, browser] = [await openStage(), await openBrowser()]
  path = `/apps/${stage.merchant.appId}`
  await stage.merchant.asUser('PUT', path, { name: 'Order manager' })
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const app = async () => data(await stage.merchant.asUser('GET', path))

/** The page before the platform, as a merchant opens it. */
async function departure() {
  const { shop, install } = await stage.simulated.open({
    platform: 'shopify',
    orders: 1,
    products: 1,
    seed: 'branding',
  })
  await stage.merchant.asUser('PUT', `${path}/services/${stage.services['shopify']}`, { client: install.client })
  const body = { name: 'Trip', shop, settings: install.settings }
  const made = data(await stage.merchant.asAccount('POST', '/service/shopify/install', body))
  const page = await browser.context.newPage()
  const { problems } = watchPage(page, [stage.origin])
  await page.goto(String(made['authorization_url']))
  await page.getByRole('heading', { name: 'Connect a shop' }).waitFor()
  return { page, problems }
}

const colours = (selector: string) =>
  `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('${selector}')))`

test('a logo and a colour are chosen in the console, and merchants see them before they go to a platform', async () => {
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console${path}/branding`)
  const picture = await sharp({ create: { width: 300, height: 90, channels: 3, background: '#0a7d5a' } })
    .png()
    .toBuffer()
  await page.getByLabel('Picture').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('img', { name: 'Logo of Order manager' }).waitFor()
  await page.getByLabel('Buttons').fill('#ffd400')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The colour has been saved.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await app()).toMatchObject({ accent: '#ffd400', logo: expect.stringMatching(/\/logos\//) })

  const merchant = await departure()
  const width = `(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('.brand img'))`
  expect(await merchant.page.evaluate(width)).toBe(300)
  expect(await merchant.page.locator('.brand').innerText()).toBe('Order manager')
  // Black is read better on yellow.
  expect(await merchant.page.evaluate(colours('button'))).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)'])
  expect(await axeViolations(merchant.page)).toEqual([])
  expect(merchant.problems).toEqual([])

  await page.getByRole('button', { name: 'Remove the logo' }).click()
  await page.getByText('None yet').waitFor()
  await page.getByRole('button', { name: 'Remove the colour' }).click()
  await page.getByText('The colour has been removed.').waitFor()
  expect(await app()).toMatchObject({ accent: null, logo: null })
  const plain = await departure()
  expect(await plain.page.locator('.brand img').count()).toBe(0)
  expect(await plain.page.locator('.brand').innerText()).toBe('Order manager')
})

test('a file that is no picture is refused beside its field; who may not change the app changes nothing', async () => {
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console${path}/branding`)
  const text = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
  await page.getByLabel('Picture').setInputFiles(text)
  await page.getByText('The logo field must be an image.').waitFor()
  await page.close()

  const { company_id: companyId } = await app()
  const { email } = await makeUser(stage.server.context, { permissions: ['read-app'], company_id: Number(companyId) })
  const reader = await browser.context.newPage()
  await signIn(reader, stage.origin, email)
  await reader.goto(`${stage.origin}/console${path}/branding`)
  await reader.getByRole('heading', { name: 'Branding' }).waitFor()
  expect(await reader.getByLabel('Picture').count()).toBe(0)
  expect(await reader.getByRole('button', { name: 'Save' }).count()).toBe(0)
})

test('a colour is six digits, and nothing else gets into a style', async () => {
  for (const accent of ['red', '#fff', '#12345g', '#1234567', 'url(x)'])
    expect((await stage.merchant.asUser('PUT', path, { accent })).status, accent).toBe(422)
  for (const accent of ['12345g', '1234567', '}*{', 'fff'])
    expect((await fetch(`${stage.origin}/arrival/${encodeURIComponent(accent)}`)).status, accent).toBe(404)
})
