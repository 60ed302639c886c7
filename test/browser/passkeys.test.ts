import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser, password } from '../support/identity.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { axeViolations } from './support/axe.ts'
import { openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { watchPage } from './support/watch.ts'

/** Passkeys in a real Chromium, with the authenticator that its debugger has: by a host name, since there are none for addresses. */

let server: TestServer
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startTestServer({ publicUrl: origin })
  await server.program.http?.listen('127.0.0.1', port)
})
afterAll(() => server.close())

/** A device that holds passkeys and has always just seen its owner. */
async function withAuthenticator(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test.each([
  ['wide and light', {}],
  ['narrow and dark', { dark: true, width: 390, height: 844 }],
])('%s, a passkey is added, signs in alone and after the password, and is removed', async (_, look) => {
  const browser = await openBrowser(look)
  const user = await makeUser(server.context)
  const page = await browser.context.newPage()
  const watched = watchPage(page, [origin])
  await withAuthenticator(page)
  await signIn(page, origin, user.email)
  await page.goto(`${origin}/console/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.getByLabel('Your password').fill(password)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const [spare = ''] = await page.locator('.codes code').allInnerTexts()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()
  expect(await axeViolations(page)).toEqual([])

  await page.context().clearCookies()
  await page.goto(`${origin}/console`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.locator('main#content').waitFor()

  await page.context().clearCookies()
  await page.goto(`${origin}/console`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.locator('main#content').waitFor()

  await page.goto(`${origin}/console/account`)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('textbox', { name: 'Code' }).fill(spare)
  await page.locator('ep-dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No passkeys').waitFor()
  expect(watched.problems).toEqual([])
  await browser.close()
})
