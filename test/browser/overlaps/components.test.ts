import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, installed, rows } from '../../integrations/support.ts'
import { installOn } from '../../support/simulated.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/chromium.ts'
import { type HostIn, hostIn } from '../support/embedded.ts'
import { holdAnswer } from '../support/held.ts'
import { openStage, type Stage } from '../support/stage.ts'

/** Answers that overtake each other, and pages that change their minds: elements in somebody else's page. */

let stage: Stage
let browser: Browser
let one: number
let other: number
let numbers: string[]

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  one = Number((await installed(stage.merchant, { orders: 5 }))['id'])
  other = Number((await installed(stage.merchant, { orders: 5 }))['id'])
  const orders = (id: number) => stage.merchant.asAccount('GET', `/orders?integration_id=${id}&per_page=10`)
  await until(async () => rows(await orders(one)).length === 5 && rows(await orders(other)).length === 5)
  numbers = rows(await orders(one)).map(({ number }) => String(number))
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const host: HostIn = (body, options) => hostIn({ stage, browser }, body, options)

const set = (page: Page, element: string, properties: Record<string, unknown>) =>
  page.locator(element).evaluate((found, given) => Object.assign(found as object, given), properties)

describe('<entrepot-order>', () => {
  test('shows the order that was asked for last, whichever answer comes last', async () => {
    const [first = '', second = ''] = numbers
    const { page, close } = await host(`<entrepot-order integration="${one}"></entrepot-order>`)
    const find = async (number: string) => {
      await page.getByLabel('Order number').fill(number)
      await page.getByRole('button', { name: 'Show' }).click()
    }
    const late = await holdAnswer(page, ({ searchParams }) => searchParams.get('number') === first)
    await find(first)
    await late.asked
    await find(second)
    const shown = page.getByRole('heading', { name: `Order ${second}` })
    await shown.waitFor()
    await late.letGo()
    expect(await shown.count()).toBe(1)
    // Whoever looks for none is back at the list.
    await find('')
    await page.getByRole('button', { name: first, exact: true }).waitFor()
    expect(await shown.count()).toBe(0)
    await close()
  })
})

describe('<entrepot-logs>', () => {
  test('lists all runs after somebody has left one, whatever is still on its way', async () => {
    const { page, close } = await host(`<entrepot-logs integration="${one}"></entrepot-logs>`)
    await page.getByLabel('Live').uncheck()
    const run = page.getByRole('button', { name: /^Run \d+$/ }).first()
    await run.click()
    const back = page.getByRole('button', { name: 'All runs' })
    await back.waitFor()
    const late = await holdAnswer(page, ({ pathname }) => /\/runs\/\d+$/.test(pathname))
    await page.getByLabel('Search the log').fill('e')
    await late.asked
    await back.click()
    await run.waitFor()
    await late.letGo()
    expect(await back.count()).toBe(0)
    await close()
  })

  test('lists what fits the filter that was chosen last', async () => {
    const { page, close } = await host(`<entrepot-logs integration="${one}"></entrepot-logs>`)
    await page.getByLabel('Live').uncheck()
    await page.locator('entrepot-logs li').first().waitFor()
    const level = page.getByLabel('Level')
    const late = await holdAnswer(page, ({ searchParams }) => searchParams.get('filter[level]') === 'info')
    await level.selectOption('info')
    await late.asked
    await level.selectOption('error')
    await page.getByText('No entry matches.').waitFor()
    await late.letGo()
    expect(await page.locator('entrepot-logs li').count()).toBe(0)
    await close()
  })
})

describe('<entrepot-integrations>', () => {
  test('shows a shop as it is after the last click, when an older look at the list comes later', async () => {
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    const card = page.locator('li.card').filter({ hasText: 'Pause' }).last()
    await card.getByRole('button', { name: 'Pause' }).waitFor()
    const late = await holdAnswer(page, ({ pathname }) => pathname.endsWith('/webcomponent/integrations'))
    // What the clock asks by itself, now.
    await page.locator('entrepot-integrations').evaluate((element) => void (element as { begin(): unknown }).begin())
    await late.asked
    await card.getByRole('button', { name: 'Pause' }).click()
    const resume = page.getByRole('button', { name: 'Resume' })
    await resume.waitFor()
    await late.letGo()
    expect(await resume.count()).toBe(1)
    await resume.click()
    await resume.waitFor({ state: 'detached' })
    await close()
  })

  test('keeps what is open at its shop when another one comes in', async () => {
    const made = await stage.simulated.open({ platform: 'woocommerce', orders: 5 })
    const { base_url } = made.install.settings
    data(await installOn(stage.merchant, made, { settings: { base_url } }))
    const { page, close } = await host('<entrepot-integrations></entrepot-integrations>')
    const cards = page.locator('li.card')
    await cards.first().getByText('Statuses of orders').click()
    await cards.first().getByRole('button', { name: 'Ask the shop for its statuses' }).click()
    const meaning = 'What awaiting-pickup means'
    await cards.first().getByLabel(meaning).waitFor()
    const before = await cards.count()
    await installed(stage.merchant)
    await expect.poll(() => cards.count()).toBe(before + 1)
    // The newest stands first: what would be said there would be said of another shop.
    expect(await cards.nth(0).getByLabel(meaning).count()).toBe(0)
    expect(await cards.nth(1).getByLabel(meaning).count()).toBe(1)
    await close()
  })
})

describe('why something was not done', () => {
  const refuse = (page: Page, path: string) =>
    page.route(path, (route) =>
      route.fulfill({ status: 503, json: { message: 'Not now.', errors: [], request_id: 'refused' } }),
    )
  const newest = (page: Page, path: string) => page.waitForResponse((response) => response.url().includes(path))

  test('is said of a shop until somebody does the next thing, however often the list is read', async () => {
    const { page, problems, close } = await host('<entrepot-integrations></entrepot-integrations>')
    const card = page.locator('li.card').filter({ hasText: 'Pause' }).last()
    await card.getByRole('button', { name: 'Pause' }).waitFor()
    await refuse(page, '**/webcomponent/integrations/*')
    await card.getByRole('button', { name: 'Pause' }).click()
    const said = page.getByRole('alert')
    await said.waitFor()
    const read = newest(page, '/webcomponent/integrations')
    await page.locator('entrepot-integrations').evaluate((element) => (element as { begin(): unknown }).begin())
    await read
    expect(await said.count()).toBe(1)
    await page.unrouteAll()
    await card.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => said.count()).toBe(0)
    expect(problems.splice(0)).toEqual([expect.stringContaining('503')])
    await close()
  })

  test('is said of a run that cannot be opened, while new entries come in', async () => {
    const { page, problems, close } = await host(`<entrepot-logs integration="${one}"></entrepot-logs>`)
    const run = page.getByRole('button', { name: /^Run \d+$/ }).first()
    await run.waitFor()
    await refuse(page, '**/runs/*')
    await run.click()
    const said = page.getByRole('alert')
    await said.waitFor()
    await page.locator('entrepot-logs').evaluate((element) => (element as { begin(): unknown }).begin())
    expect(await said.count()).toBe(1)
    await page.unrouteAll()
    await said.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'All runs' }).waitFor()
    expect(await said.count()).toBe(0)
    expect(problems.splice(0)).toEqual([expect.stringContaining('503')])
    await close()
  })
})

describe('an element whose shop is chosen later', () => {
  test.each([
    ['logs', 'ol'],
    ['schedules', 'section'],
    ['order', 'tbody tr'],
  ])('<entrepot-%s> shows it, and another one after that', async (name, shown) => {
    const element = `entrepot-${name}`
    const { page, close } = await host(`<${element}></${element}>`)
    await page
      .locator(element)
      .locator(name === 'order' ? 'form' : 'p.muted')
      .first()
      .waitFor()
    const asks = (id: number) =>
      page.waitForRequest((request) => new RegExp(`integrations/${id}\\b|integration_id=${id}\\b`).test(request.url()))
    for (const id of [one, other]) {
      const asked = asks(id)
      await set(page, element, { integration: String(id) })
      await asked
      await page.locator(element).locator(shown).first().waitFor()
    }
    await close()
  })
})

describe('<entrepot-schedules>', () => {
  test('keeps one schedule for whoever presses twice', async () => {
    const { page, close } = await host(`<entrepot-schedules integration="${one}"></entrepot-schedules>`)
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByRole('button', { name: 'Run now' }).first().waitFor()
    const path = `/integrations/${one}?include=schedules`
    expect(data(await stage.merchant.asAccount('GET', path))['schedules']).toHaveLength(1)
    await close()
  })
})
