import type { Page } from 'playwright-core'
import { makeUser, password } from '../../support/identity.ts'
import type { Browser } from './chromium.ts'
import type { Stage } from './stage.ts'

/** Signs in by hand, as people do. */
export async function signIn(page: Page, origin: string, email: string, secret = password): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${origin}/console`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('main#content').waitFor()
}

/** A page of the console, signed in as a new administrator. */
export async function openConsole(browser: Browser, stage: Stage): Promise<{ page: Page; email: string }> {
  const { email } = await makeUser(stage.server.context, { roles: ['admin'] })
  const page = await browser.context.newPage()
  await signIn(page, stage.origin, email)
  return { page, email }
}
