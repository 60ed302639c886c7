import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '../../web/console/navigation.ts'
import { makeDataFolder } from '../support/data-folder.ts'
import { freePort, printed, runEntrepot, startEntrepot, stop } from '../support/process.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { watchPage } from './support/watch.ts'

/** `entrepot demo` as somebody sees it who has just made it: every page of the console has something to show. */

let dataDir: string
let server: ChildProcess
let browser: Browser
let page: Page
let problems: string[]
let demo: Demo
let origin: string

interface Demo {
  user: { email: string; password: string }
  app: { id: number }
  integration: { id: number }
}

beforeAll(async () => {
  dataDir = await makeDataFolder()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const env = { LOG_LEVEL: 'error', PORT: String(port), PUBLIC_URL: origin, ENTREPOT_DATA_DIR: dataDir }
  server = startEntrepot(['start'], { env, young: 16 })
  await printed(server, origin)
  const { stdout, stderr, code } = await runEntrepot(['demo', '--json'], { env })
  expect([code, stderr]).toEqual([0, ''])
  demo = JSON.parse(stdout) as Demo
  browser = await openBrowser()
  page = await browser.context.newPage()
  problems = watchPage(page, [origin]).problems
  await signIn(page, origin, demo.user.email, demo.user.password)
})
afterAll(async () => {
  await browser?.close()
  if (server) await stop(server)
  await rm(dataDir, { recursive: true, force: true })
})

/** Where emptiness is the point: it says that nothing is wrong, or what could be done. */
const rightlyEmpty: Readonly<Record<string, readonly string[]>> = {
  undelivered: ['Nothing has failed'],
  'v1-usage': ['No calls to version 1.0'],
  'own-services': ['Nothing described yet'],
  account: ['No passkeys'],
}

async function visit(path: string): Promise<string[]> {
  await page.goto(`${origin}/console${path}`)
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
  return await page.locator('main .empty h2').allInnerTexts()
}

describe('every page of a demo has something to show', () => {
  const pages = groups
    .flatMap(({ rooms }) => rooms.flatMap((room) => room.pages))
    .filter(({ outside }) => !outside)
    .map(({ label, section, path }) => ({ label, section, path }))

  test.each([...pages, { label: 'Your account', section: 'account', path: '/account' }])(
    '$label',
    async ({ section, path }) => {
      const allowed = rightlyEmpty[section] ?? []
      const shown = async () =>
        (await visit(path.replace(':app', String(demo.app.id)))).filter((title) => !allowed.includes(title))
      // Alerts and the like are noticed by the worker a moment later.
      await expect.poll(shown, { interval: 1000 }).toEqual([])
      expect(await page.locator('main').innerText()).not.toContain('This page is not for you')
      expect(problems.splice(0)).toEqual([])
    },
  )
})

describe('what is in it', () => {
  const app = () => `/apps/${demo.app.id}`

  test('two shops share one stock, and both are told', async () => {
    await visit(`${app()}/shared-stock`)
    await page.getByText('2 shops.').waitFor()
    const rows = page.getByRole('table', { name: 'Articles' }).getByRole('row')
    expect(await rows.count()).toBeGreaterThan(10)
    await rows.nth(1).getByRole('link').click()
    await page.getByRole('heading', { name: 'Movements' }).waitFor()
    await page.getByText('Counted when the stock was first shared').first().waitFor()
  })

  test('an agent waits for a person, who approves', async () => {
    await visit(`${app()}/approvals`)
    await page.getByText('Support desk agent').first().waitFor()
    const refund = page.getByText('One of the cups was broken', { exact: true })
    await refund.waitFor()
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await expect.poll(async () => await page.getByRole('button', { name: 'Approve' }).count()).toBe(1)
    await visit(`${app()}/approvals?status=all`)
    await page.locator('main').getByText('Refused').and(page.locator(':visible')).first().waitFor()
  })

  test('messages of shops arrive by themselves', async () => {
    await expect.poll(async () => (await visit(`${app()}/undelivered?outcome=all`)).length, { interval: 2000 }).toBe(0)
  })
})
