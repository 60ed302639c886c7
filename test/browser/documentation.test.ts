import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { watchPage } from './support/watch.ts'

/** What people read: the guides with their search, and the API reference. */

let server: TestServer
let origin: string
let browser: Browser
const guides = [
  '/docs/guides',
  ...readdirSync(join(import.meta.dirname, '../../docs/guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `/docs/guides/${name.slice(0, -3)}`),
]
let addresses: string[]

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  browser = await openBrowser()
  const page = await browser.context.newPage()
  await page.goto(`${origin}/docs/guides`)
  const links = await page.locator('.cards a').evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  addresses = ['/docs/guides', ...links.map(String)]
  await page.close()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** What is wrong with a page at both widths, light and dark. */
async function inEveryLook(page: Page, address: string): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const redrawn = await settled(page, colorScheme)
      // Of a page that is only coloured otherwise the rest is known already.
      const rules = colorScheme === 'dark' && !redrawn ? ['color-contrast'] : undefined
      for (const violation of await axeViolations(page, rules)) wrong.push([address, width, colorScheme, violation])
    }
    const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (over > 0) wrong.push([address, width, `${over} pixels too wide`])
  }
  return wrong
}

/** The reference draws itself anew when the scheme changes, some time after it has. */
async function settled(page: Page, scheme: string): Promise<boolean> {
  const isReference = (await page.locator('#reference').count()) > 0
  if (isReference) await page.locator(`body.${scheme}-mode`).waitFor()
  return isReference
}

describe('the guides', () => {
  test('are text for programs as well', async () => {
    const listed = await (await fetch(`${origin}/llms.txt`)).text()
    const links = [...listed.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path)
    expect(links).toContain('/docs/guides/orders.md')
    for (const path of links) {
      const answer = await fetch(origin + path)
      expect([path, answer.status]).toEqual([path, 200])
      await answer.body?.cancel()
    }
    const markdown = await fetch(`${origin}/docs/guides/orders.md`)
    expect([markdown.headers.get('content-type'), (await markdown.text()).slice(0, 2)]).toEqual([
      'text/markdown; charset=utf-8',
      '# ',
    ])
  })

  test('each of them is looked at', () => expect(guides.toSorted()).toEqual(addresses.toSorted()))

  test.each(guides)('%s is accessible at every width, light and dark, and asks nobody else', async (address) => {
    const page = await browser.context.newPage()
    const { problems } = watchPage(page, [origin])
    await page.goto(origin + address)
    expect(await inEveryLook(page, address)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('lead only to what is there', async () => {
    const page = await browser.context.newPage()
    const targets = new Map<string, string>()
    for (const address of addresses) {
      await page.goto(origin + address)
      const links = await page
        .locator('a')
        .evaluateAll((found) => found.map((link) => String(link.getAttribute('href'))))
      for (const link of links) {
        const target = new URL(link, origin + address)
        if (target.origin === origin) targets.set(target.href, address)
      }
    }
    const dead: string[] = []
    /** What stands there; null where nothing does. Hundreds of links lead to different places of the same pages. */
    const pages = new Map<string, Promise<string | null>>()
    const read = async (address: string) => {
      const answer = await fetch(address)
      return answer.ok ? await answer.text() : null
    }
    for (const [target, from] of targets) {
      const [address = '', place = ''] = target.split('#')
      const known = pages.get(address) ?? read(address)
      pages.set(address, known)
      const text = await known
      if (text === null || (place !== '' && !text.includes(`id="${place}"`))) dead.push(`${from}: ${target}`)
    }
    expect(dead).toEqual([])
    expect(targets.size).toBeGreaterThan(addresses.length)
    await page.close()
  })

  test('are searched by the keyboard alone, word by word, without anybody else', async () => {
    const page = await browser.context.newPage()
    const { problems } = watchPage(page, [origin])
    const searchable = page.waitForResponse(`${origin}/docs/search.json`)
    await page.goto(`${origin}/docs/guides`)
    await (await searchable).finished()
    await browser.context.setOffline(true)
    await page.keyboard.press('/')
    // Words that stand in the text of a guide, and in no heading.
    await page.keyboard.type('nobody retry-after')
    const hits = page.getByRole('region', { name: 'Found in the guides' }).getByRole('link')
    await hits.first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.matches("#hits li:first-child a")')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await hits.count()).toBe(0)
    await page.keyboard.type('no-such-word-anywhere')
    await page.getByText('Nothing was found').waitFor()
    await browser.context.setOffline(false)
    await page.keyboard.press('Escape')
    await page.keyboard.type('passport')
    await hits.first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/guides\/orders#/)
    expect(problems).toEqual([])
    await page.close()
  })

  test('have a page for an address that is not there', async () => {
    const page = await browser.context.newPage()
    await page.goto(`${origin}/docs/guides/no-such-guide`)
    await page.getByRole('heading', { name: 'There is no such guide' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.close()
  })
})

describe('the API reference', () => {
  test('is accessible at every width, light and dark, and asks nobody else', async () => {
    const page = await browser.context.newPage()
    const { problems } = watchPage(page, [origin])
    // The library is packed on the first visit, and large.
    await page.goto(`${origin}/docs`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await inEveryLook(page, '/docs')).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })
})
