import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../support/identity.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { makeDomain, setUp } from '../support/single-sign-on.ts'
import { axeViolations } from './support/axe.ts'
import { openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { watchPage } from './support/watch.ts'

/** Single sign-on as people meet it, at a provider of another origin. */

let server: TestServer
let origin: string
let provider: IdentityProvider
let companyId: number
let domain: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startTestServer({ publicUrl: origin, egressAllow: ['127.0.0.1'] })
  await server.program.http?.listen('127.0.0.1', port)
  const company = await makeDomain(server.context)
  ;({ companyId, domain } = company)
  provider = await startIdentityProvider([company.redirect])
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const looks = [
  ['wide and light', {}],
  ['narrow and dark', { dark: true, width: 390, height: 844 }],
] as const

test.each(looks)('%s, an owner sets it up', async (_, look) => {
  const browser = await openBrowser(look)
  const owner = await makeUser(server.context, { company_id: companyId })
  const page = await browser.context.newPage()
  const watched = watchPage(page, [origin])
  const { db } = server.context
  await db.updateTable('users').set({ company_role: 'owner' }).where('id', '=', owner.id).execute()
  await signIn(page, origin, owner.email)
  await page.goto(`${origin}/console/team/single-sign-on`)
  await page.getByLabel('Issuer').fill(`${provider.issuer}/elsewhere`)
  await page.getByLabel('Client ID').fill(provider.clientId)
  await page.getByLabel('Client secret').fill(provider.clientSecret)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The answer of the identity provider is not accepted.').waitFor()
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. It counts from the next sign-in.').waitFor()
  await page.getByRole('button', { name: 'Add a domain' }).click()
  await page.getByRole('textbox', { name: 'Domain' }).fill(`${randomUUID()}.example.com`)
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText('To be proved').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(watched.problems).toEqual([])
  await browser.close()
})

test.each(looks)('%s, a member signs in by it', async (_, look) => {
  const browser = await openBrowser(look)
  const { issuer, clientId, clientSecret } = provider
  await setUp(server.context, companyId, { issuer, client_id: clientId, secret: clientSecret })
  const member = await makeUser(server.context, { email: `${randomUUID()}@${domain}`, company_id: companyId })
  const page = await browser.context.newPage()
  const watched = watchPage(page, [origin, issuer])
  const leave = async (email: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Use single sign-on' }).click()
  }
  await page.goto(`${origin}/console`)
  await leave('ada@elsewhere.example')
  await page.getByText('There is no single sign-on for addresses of this domain.').waitFor()
  const person = { sub: randomUUID(), email: member.email, email_verified: true }
  provider.be({ ...person, email_verified: false })
  await leave(member.email)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(page.url()).not.toContain('code=')
  provider.be(person)
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await leave(member.email)
  await page.locator('main#content').waitFor()
  await page.getByText(member.email).first().waitFor({ state: 'attached' })
  expect(watched.problems).toEqual([])
  await browser.close()
})
