import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../support/identity.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** A new person after `npm start`: from nothing to orders, a call of the API and a webhook, by clicking what is offered. */

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

test('a new person is led from an empty console to orders, a call and a webhook', async () => {
  const { email } = await makeUser(stage.server.context, { roles: ['manager'] })
  const page = await browser.context.newPage()
  const { problems } = watchPage(page, [stage.origin])
  await signIn(page, stage.origin, email)
  await page.getByRole('link', { name: 'Take the first steps' }).click()

  await page.getByLabel('Name').fill('Harbour')
  await page.getByRole('button', { name: 'Create app' }).click()

  await page.getByLabel('Address of the shop').fill('first.example.com')
  await page.getByLabel('API key').fill('good')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('first.example.com is connected').waitFor()

  await page.getByRole('table', { name: 'The newest orders' }).waitFor()

  await page.getByRole('button', { name: 'Create a client' }).click()
  const lines = await page.locator('pre', { hasText: 'grant_type=client_credentials' }).innerText()
  const [, id = ''] = /client_id=(\d+)/.exec(lines) ?? []
  const [, secret = ''] = /client_secret=(\w+)/.exec(lines) ?? []
  const token = await fetch(`${stage.origin}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  })
  expect(token.status).toBe(200)

  await page.getByRole('button', { name: 'Create a webhook and send a test' }).click()
  await page.locator('pre', { hasText: '"type":' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(problems).toEqual([])
})
