import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, installed } from '../integrations/support.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { buildPage, frameworkPages } from './support/framework-pages.ts'
import { openHostPage } from './support/host-page.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** The embedded elements in pages that four frameworks make: built by their own compilers, and used. */

let stage: Stage
let browser: Browser
let integration: number

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
  integration = Number((await installed(stage.merchant, { orders: 3 }))['id'])
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const isActive = async () => data(await stage.merchant.asAccount('GET', `/integrations/${integration}`))['active']

test.each(Object.entries(frameworkPages))(
  'a page of %s mounts an element, sets its properties and is told what happens',
  async (name, made) => {
    const outsider = await openHostPage({
      service: stage.origin,
      body: '<div id="app"></div>',
      token: stage.accountToken,
      script: await buildPage(made),
      evaluates: 'evaluates' in made,
    })
    const page = await browser.context.newPage()
    const { problems } = watchPage(page, [outsider.origin, stage.origin])
    await page.goto(outsider.url)

    // The function that gives tokens can be a property only: without it the element shows nothing.
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(`${name} was told of ${integration}`, { exact: true }).waitFor()
    expect(await isActive()).toBe(false)

    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Fortsetzen' }).click()
    await expect.poll(isActive).toBe(true)

    expect(problems).toEqual([])
    await page.close()
    await outsider.close()
  },
)
