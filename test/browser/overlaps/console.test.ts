import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, installed, makeMerchant, meta, rows } from '../../integrations/support.ts'
import { password } from '../../support/identity.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/chromium.ts'
import { openConsole } from '../support/console.ts'
import { drawn, holdAnswer } from '../support/held.ts'
import { openStage, type Stage } from '../support/stage.ts'

/** A service that is slow, people who are quick, and sessions that end: what meets in the console at the wrong moment. */

let stage: Stage
let browser: Browser
let page: Page
let email: string
let app: string
let shop: number

beforeAll(async () => {
  stage = await openStage(['sandbox'])
  browser = await openBrowser()
  shop = Number((await installed(stage.merchant, { orders: 40 }))['id'])
  const list = () => stage.merchant.asApp('GET', `/orders?integration_id=${shop}&per_page=100&acknowledged=all`)
  await until(async () => rows(await list()).length === 40)
  await stage.server.context.db
    .updateTable('orders')
    .set({ status: 'PENDING', acknowledged_at: null })
    .where('integration_id', '=', shop)
    .execute()
  app = `${stage.origin}/console/apps/${stage.merchant.appId}`
  ;({ page, email } = await openConsole(browser, stage))
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

async function open(path: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(app + path)
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
}

async function aWebhook(): Promise<{ id: number; url: string }> {
  const { merchant } = stage
  const { url } = data(await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks/catcher`)) as { url: string }
  const made = await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, { url, events: ['order.deleted'] })
  return { id: Number(data(made)['id']), url }
}

/** Goes to another page without a reload, as links do. */
const goTo = (path: string) =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console/apps/${stage.merchant.appId}${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )

const signInAgain = async (who: string) => {
  const entrance = page.getByRole('dialog', { name: 'Sign in again' })
  await entrance.getByLabel('Email').fill(who)
  await entrance.getByLabel('Password').fill(password)
  await entrance.getByRole('button', { name: 'Sign in', exact: true }).click()
  await entrance.waitFor({ state: 'detached' })
}

/** As somebody does who signs out in another tab. */
const endSession = () =>
  page.request.delete(`${stage.origin}/console/session`, { headers: { 'x-entrepot-console': '1' } })

const writes = (fits: string): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes(fits)) sent.push(request.url())
  })
  return sent
}

describe('another record', () => {
  test('is not shown as the one before, whose buttons would change it', async () => {
    const [one, other] = [await aWebhook(), await aWebhook()]
    await open(`/webhooks/${one.id}`)
    await page.getByRole('heading', { name: one.url }).waitFor()
    const late = await holdAnswer(page, ({ pathname }) => pathname.endsWith(`/webhooks/${other.id}`))
    await goTo(`/webhooks/${other.id}`)
    await late.asked
    expect(await page.getByRole('heading', { name: one.url }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await late.letGo()
    await page.getByRole('heading', { name: other.url }).waitFor()
    await goTo('/webhooks/999999')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await page.getByRole('heading', { name: other.url }).count()).toBe(0)
  })
})

describe('a service that is slower than the clock', () => {
  test('is asked once, and what it answers is shown', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const { id, url } = await aWebhook()
    const other = await browser.context.newPage()
    await other.clock.install()
    let asked = 0
    const going = Promise.withResolvers<void>()
    await other.route(`**/webhooks/${id}`, async (route) => {
      if (route.request().resourceType() === 'document') return await route.continue()
      asked++
      await going.promise
      await route.continue()
    })
    await other.goto(`${app}/webhooks/${id}`)
    await expect.poll(() => asked).toBe(1)
    await other.clock.runFor(20_000)
    await drawn(other)
    expect(asked).toBe(1)
    going.resolve()
    await other.getByRole('heading', { name: url }).waitFor()
    await other.clock.runFor(5_000)
    await expect.poll(() => asked).toBe(2)
    await other.close()
  })
})

describe('a service that never answers', () => {
  test('is given up after a minute, and asked again', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const { id, url } = await aWebhook()
    const other = await browser.context.newPage()
    await other.clock.install()
    let asked = 0
    await other.route(`**/webhooks/${id}`, async (route) => {
      if (route.request().resourceType() === 'document' || ++asked > 2) return await route.continue()
    })
    await other.goto(`${app}/webhooks/${id}`)
    await expect.poll(() => asked).toBe(1)
    await other.clock.runFor(60_000)
    await other.getByText('The service cannot be reached').waitFor()
    await other.clock.runFor(5_000)
    await expect.poll(() => asked).toBe(2)
    await other.clock.runFor(65_000)
    await other.getByRole('heading', { name: url }).waitFor()
    await other.close()
  })
})

describe('whoever presses twice', () => {
  test('makes one client', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(`${stage.origin}/console/clients`)
    await page.getByRole('button', { name: 'New client' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Pressed twice')
    await page.getByRole('button', { name: 'Create client' }).dblclick()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await expect.poll(() => page.getByRole('cell', { name: 'Pressed twice' }).count()).toBeGreaterThan(0)
    expect(await page.getByRole('cell', { name: 'Pressed twice' }).count()).toBe(1)
    // What was refused, or is another one, is sent all the same.
    await page.getByRole('button', { name: 'New client' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Create client' }).dblclick()
    await page.getByText(/must not be greater than/).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('The next one')
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('cell', { name: 'The next one' }).waitFor()
  })

  test('makes one new secret of a webhook, so that the one in use stays valid', async () => {
    const { id } = await aWebhook()
    await open(`/webhooks/${id}`)
    const sent = writes('/rotate-secret')
    await page.getByRole('button', { name: 'New secret' }).dblclick()
    await page.getByRole('heading', { name: 'The new secret' }).waitFor()
    expect(sent).toHaveLength(1)
  })
})

describe('whoever is quicker than the answer', () => {
  test('gets the shop whose name is typed, not the one found before', async () => {
    for (const name of ['Quick north', 'Quick south']) {
      const id = Number((await installed(stage.merchant, { orders: 1 }))['id'])
      await stage.server.context.db.updateTable('integrations').set({ name }).where('id', '=', id).execute()
    }
    await open('/orders')
    const picker = page.getByRole('combobox', { name: 'Shop', exact: true })
    const late = await holdAnswer(page, ({ searchParams }) => searchParams.get('filter[q]') === 'quick south')
    await picker.click()
    await picker.fill('quick north')
    const found = page.getByRole('listbox', { name: 'Shop', exact: true }).getByRole('option')
    await found.filter({ hasText: 'Quick north' }).waitFor()
    await expect.poll(() => found.count()).toBe(1)
    await picker.fill('quick south')
    await picker.press('Enter')
    expect(new URL(page.url()).searchParams.get('integration')).toBeNull()
    await late.asked
    await late.letGo()
    await expect.poll(() => picker.inputValue()).toContain('Quick south')
  })

  test('and the order whose number is typed', async () => {
    const numbered = await stage.server.context.db
      .selectFrom('orders')
      .select(['id', 'number'])
      .where('integration_id', '=', shop)
      .orderBy('id')
      .limit(2)
      .execute()
    const [one, other] = numbered.map(({ id, number }) => ({ id, number: String(number) }))
    if (!one || !other) throw new Error('There are no orders.')
    await open('/orders')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Find anything' })
    await palette.fill(one.number)
    await page
      .getByRole('option', { name: `Order ${one.number}` })
      .first()
      .waitFor()
    const late = await holdAnswer(page, ({ pathname }) => pathname.endsWith('/search'), 'POST')
    await palette.fill(other.number)
    await palette.press('Enter')
    expect(await palette.isVisible()).toBe(true)
    await late.asked
    await late.letGo()
    await page.waitForURL(`**/orders/${other.id}`)
  })
})

describe('several rows', () => {
  test('are left alone once somebody stops', async () => {
    await open('/orders')
    const acknowledged = writes('/acknowledge')
    const late = await holdAnswer(page, ({ pathname }) => pathname.includes('acknowledge'), 'POST')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await late.asked
    await page.getByRole('button', { name: 'Stop' }).click()
    await late.letGo()
    await page.getByText('One order has been acknowledged.').waitFor()
    expect(acknowledged).toHaveLength(1)
    await page.getByText('24 selected').waitFor()
  })

  test('are saved by the filter with which that began', async () => {
    const many = Number((await installed(stage.merchant, { orders: 230 }))['id'])
    const total = async () =>
      Number(meta(await stage.merchant.asApp('GET', `/orders?integration_id=${many}&acknowledged=all`))['total'])
    await expect.poll(total).toBe(230)
    await open(`/orders?integration=${many}`)
    const late = await holdAnswer(page, ({ searchParams }) => searchParams.get('limit') === '200')
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    await late.asked
    await goTo(`/orders?integration=${shop}`)
    await late.letGo()
    const file = await readFile(await (await downloaded).path(), 'utf8')
    expect(file.trimEnd().split('\r\n')).toHaveLength(231)
  })
})

describe('a session that ends', () => {
  test('leaves nothing of one person to another', async () => {
    const { id, url } = await aWebhook()
    await open(`/webhooks/${id}`)
    await page.getByRole('heading', { name: url }).waitFor()
    const stranger = await makeMerchant(stage.server)
    await endSession()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signInAgain(stranger.email)
    await page.getByText(stranger.email).waitFor()
    expect(await page.getByText(url).count()).toBe(0)
  })

  test('and begins again tells what happens again', async () => {
    ;({ page, email } = await openConsole(browser, stage))
    await page.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
    await page.goto(`${stage.origin}/console`)
    const live = page.getByText('Live', { exact: true })
    await live.waitFor()
    await endSession()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signInAgain(email)
    await live.waitFor()
  })

  test('keeps what was typed when the answer to who is back is lost', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(`${stage.origin}/console/clients`)
    await page.getByRole('button', { name: 'New client' }).first().click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Not lost')
    await endSession()
    await page.keyboard.press('Enter')
    const entrance = page.getByRole('dialog', { name: 'Sign in again' })
    await entrance.waitFor()
    let lost = 0
    await page.route('**/console/session', (route) =>
      route.request().method() === 'GET' && lost++ === 0 ? route.abort() : route.continue(),
    )
    await entrance.getByLabel('Email').fill(email)
    await entrance.getByLabel('Password').fill(password)
    await entrance.getByRole('button', { name: 'Sign in', exact: true }).click()
    await entrance.getByText('The service cannot be reached').waitFor()
    expect(lost).toBe(1)
    await entrance.getByRole('button', { name: 'Try again' }).click()
    await entrance.waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Not lost')
  })
})
