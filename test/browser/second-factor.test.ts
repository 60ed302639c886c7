import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/users/user.ts'
import { type Authenticator, authenticator } from '../support/authenticator.ts'
import { makeCompany, makeUser, password } from '../support/identity.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** A second factor as people meet it: set up, signed in with, demanded by the company. */

let stage: Stage
let wide: Browser
let narrow: Browser

beforeAll(async () => {
  stage = await openStage([])
  ;[wide, narrow] = [await openBrowser(), await openBrowser({ dark: true, width: 390, height: 844 })]
})
afterAll(async () => {
  await wide.close()
  await narrow.close()
  await stage.close()
})

/** As somebody without a camera does. */
async function appShownOn(page: Page): Promise<Authenticator> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const key = page.locator('p', { hasText: 'Type this key into the app' }).locator('ep-copy code')
  return authenticator(await key.innerText())
}

async function giveCredentials(page: Page, { email }: Pick<User, 'email'>) {
  await page.context().clearCookies()
  await page.goto(`${stage.origin}/console`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe.each([
  ['wide and light', () => wide],
  ['narrow and dark', () => narrow],
] as const)('%s', (_, browserOf) => {
  test('an authenticator app is set up, and a code asked for', async () => {
    const browser = browserOf()
    const user = await makeUser(stage.server.context)
    const page = await browser.context.newPage()
    const watched = watchPage(page, [stage.origin])
    await signIn(page, stage.origin, user.email)
    await page.goto(`${stage.origin}/console/account`)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Go on' }).click()
    const app = await appShownOn(page)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const [spare = ''] = await page.locator('.codes code').allInnerTexts()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('In use').waitFor()
    await page.getByText('10 of 10').waitFor()

    await giveCredentials(page, user)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Code' }).fill(spare)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('main#content').waitFor()
    expect(watched.problems).toEqual([])
    await page.close()
  })

  test('where the company demands it, it is set up on the way in', async () => {
    const browser = browserOf()
    const { context } = stage.server
    const companyId = await makeCompany(context)
    await context.db.updateTable('companies').set({ require_second_factor: true }).where('id', '=', companyId).execute()
    const user = await makeUser(context, { company_id: companyId })
    const page = await browser.context.newPage()
    await giveCredentials(page, user)
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    const app = await appShownOn(page)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Code' }).fill(app.wrong())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('The code is not right').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.locator('main#content').waitFor()
    await page.close()
  })
})
