import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sayNews } from '../../src/domain/news-store.ts'
import { insertRequests } from '../../src/domain/requests/request-store.ts'
import { data, installed, rows } from '../integrations/support.ts'
import { makeAgent, makeAgentClient } from '../support/agents.ts'
import { makeUser, password } from '../support/identity.ts'
import { ownService } from '../support/own-shop.ts'
import { until } from '../support/until.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** Every page of the console with real records in it, text that is no markup among them. */

const canary = `"><img src=x onerror="document.title='pwned'"><script>alert(1)</script>`

let stage: Stage
let browser: Browser
let dark: Browser
let paths: Record<string, string>
let order: { id: number; number: string; shop: number }
let webhookPath: string

beforeAll(async () => {
  stage = await openStage()
  ;[browser, dark] = [await openBrowser(), await openBrowser({ dark: true, width: 390, height: 844 })]
  const { merchant } = stage
  const { appId } = merchant
  await merchant.asUser('PUT', `/apps/${appId}`, { name: canary, description: canary })
  await merchant.asApp('POST', '/accounts', { remote_id: 'canary', name: canary })
  const integration = await installed(merchant, { orders: 30 })
  const id = Number(integration['id'])
  await merchant.asAccount('PUT', `/integrations/${id}`, { name: canary, description: canary })
  await merchant.asAccount('POST', `/integrations/${id}/schedule`, {
    name: canary,
    resource: 'sync_orders',
    cron: '0 6 * * *',
  })
  const list = () => merchant.asApp('GET', `/orders?integration_id=${id}&per_page=2`)
  await until(async () => rows(await list()).length === 2)
  const [first, second] = rows(await list())
  order = { id: Number(first?.['id']), number: String(first?.['number']), shop: id }
  await writeEverywhere(id, order.id)
  const { url } = data(await merchant.asUser('POST', `/apps/${appId}/webhooks/catcher`)) as { url: string }
  const webhook = data(
    await merchant.asUser('POST', `/apps/${appId}/webhooks`, {
      url,
      events: ['order.acknowledged'],
      description: canary,
    }),
  )
  await merchant.asUser('POST', `/apps/${appId}/webhooks/${webhook['id']}/test`)
  await merchant.asUser('POST', `/apps/${appId}/alert-channels`, {
    type: 'slack',
    name: canary,
    address: 'https://hooks.example.com/services/T0/B0/s',
  })
  const [run] = rows(await merchant.asApp('GET', `/integrations/${id}/runs`))
  const [message] = rows(await merchant.asApp('GET', `/integrations/${id}/deliveries`))
  const app = `/apps/${appId}`
  webhookPath = `${app}/webhooks/${webhook['id']}`
  paths = {
    overview: '',
    start: '/start',
    apps: '/apps',
    app,
    platform: `${app}/services/${stage.services['shopify']}`,
    message: `${app}/integrations/${id}/messages/${message?.['id']}`,
    accounts: `${app}/accounts`,
    customers: `${app}/customers`,
    integrations: `${app}/integrations`,
    connect: `${app}/connect`,
    integration: `${app}/integrations/${id}`,
    runs: `${app}/runs`,
    run: `${app}/integrations/${id}/runs/${run?.['id']}`,
    schedules: `${app}/schedules`,
    logs: `${app}/logs`,
    stock: `${app}/stock`,
    orders: `${app}/orders`,
    products: `${app}/products`,
    'shared-stock': `${app}/shared-stock`,
    platforms: `${app}/platforms`,
    flows: `${app}/flows`,
    branding: `${app}/branding`,
    gatewayKeys: `${app}/gateway-keys`,
    parcels: `${app}/parcels`,
    order: `${app}/integrations/${id}/orders/${second?.['id']}`,
    missing: `${app}/passport?number=no-such-order`,
    webhooks: `${app}/webhooks`,
    webhook: webhookPath,
    alerts: `${app}/alerts`,
    alertSettings: `${app}/alert-settings`,
    undelivered: `${app}/undelivered?outcome=all`,
    requests: `${app}/requests`,
    request: `${app}/requests/${requestId}`,
    agents: `${app}/agents`,
    approvals: `${app}/approvals?status=all`,
    letIn: `/let-in?${await agentRequest()}`,
    clients: '/clients',
    team: '/team',
    singleSignOn: '/team/single-sign-on',
    users: '/users',
    audit: '/audit',
    catalogue: '/catalogue',
    ownServices: '/own-services',
    studio: '/own-services/new',
    'own-service': `/own-services/${await describedService()}`,
    'v1-usage': '/v1-usage',
    account: '/account',
    device: '/device',
    nowhere: '/no/such/page',
  }
})
afterAll(async () => {
  await browser.close()
  await dark.close()
  await stage.close()
})

const requestId = randomUUID()

/** What a program that calls itself by markup sends a browser along with. */
async function agentRequest(): Promise<URLSearchParams> {
  const { public_id: id } = await makeAgentClient(stage.server.context, canary)
  return new URLSearchParams({
    ...{ response_type: 'code', client_id: id, redirect_uri: 'http://127.0.0.1/callback' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', resource: `${stage.origin}/mcp` },
  })
}

/** One that was published twice, so that there is something to compare. */
async function describedService(): Promise<number> {
  const { merchant } = stage
  const body = { type: 'described-canary', name: canary, definition: ownService({ kind: 'none' }) }
  const { id } = data(await merchant.asUser('POST', '/api/1.0/services', body))
  const secrets = [{ name: 'key', label: canary, help: canary }]
  const auth = { kind: 'secrets' as const, secrets, send: [{ in: 'query' as const, name: 'key', value: '{key}' }] }
  await merchant.asUser('PUT', `/api/1.0/services/${id}`, { definition: ownService(auth) })
  return Number(id)
}

/**
 * Into every text that people or shops give, of every kind of record that a page shows. One order is spared: those whose
 * id in the shop changes are stored a second time when the shop is read again.
 */
async function writeEverywhere(integrationId: number, sparedId: number): Promise<void> {
  const { db } = stage.server.context
  const { merchant } = stage
  await merchant.asUser('POST', '/clients', { name: canary })
  await merchant.asUser('POST', '/api/1.0/services', {
    type: 'canary',
    name: canary,
    description: canary,
    auth_type: 'none',
  })
  await makeUser(stage.server.context, { name: canary })
  await makeAgent(stage.server.context, merchant, { name: canary, integrationId })
  const person = JSON.stringify({ first_name: canary, last_name: canary, email: canary })
  const items = JSON.stringify([{ sku: canary, name: canary, quantity: 1, price: '1.00' }])
  await sql`update orders set remote_status = ${canary}, customer = ${person}::jsonb, items = ${items}::jsonb,
    remote_id = remote_id || ${canary} where integration_id = ${integrationId} and id <> ${sparedId}`.execute(db)
  await sql`update products set name = ${canary}, description = ${canary} where integration_id = ${integrationId}`.execute(
    db,
  )
  await sql`update runs set error = ${canary}, result = jsonb_build_object('said', ${canary}::text)
    where integration_id = ${integrationId}`.execute(db)
  await sql`update integration_logs set message = ${canary}, event = ${canary}, context = jsonb_build_object('said', ${canary}::text)
    where integration_id = ${integrationId}`.execute(db)
  await sql`update integrations set settings = jsonb_build_object('note', ${canary}::text) where id = ${integrationId}`.execute(
    db,
  )
  await sql`insert into attentions (app_id, kind, cause, integration_id, severity, reason)
    values (${merchant.appId}, 'not_compared', 'integration:' || ${integrationId}::text, ${integrationId}, 'warning', ${canary})`.execute(
    db,
  )
  await insertRequests(db, [
    {
      ...{ app_id: merchant.appId, at: new Date().toISOString(), id: requestId, source: 'api', caller: 'client' },
      ...{ client_id: 1, account_id: null, user_id: null, integration_id: integrationId, method: 'POST' },
      ...{ route: canary, path: canary, query: canary, status: 422, ms: 1, address: canary, request_bytes: 0 },
      response_bytes: 0,
      detail: {
        ...{ agent: canary, content_type: canary, has_idempotency_key: true, request: { said: canary } },
        error: { kind: 'invalid', fields: { [canary]: [canary] } },
      },
    },
  ])
  await sql`insert into shop_messages (integration_id, delivery_id, topic, body, kind, remote_id, outcome, error, processed_at)
    values (${integrationId}, ${canary}, ${canary}, 'x', 'order', ${canary}, 'failed', ${canary}, now())`.execute(db)
}

/** The bar at the side with the pages of every room in sight. */
async function everyRoom(page: Page) {
  const main = page.getByRole('navigation', { name: 'Main' })
  const folded = main.getByRole('button', { name: /^Pages of/, expanded: false })
  await main.getByRole('link', { name: 'Home' }).waitFor()
  for (let left = await folded.count(); left > 0; left = await folded.count()) await folded.first().click()
  return main
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${stage.origin}/console${path}`)
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
}

describe('every page', () => {
  test.each(['light', 'dark', 'twice as large from right to left'] as const)(
    'is accessible, %s, shows markup as text and asks nobody else',
    async (name) => {
      const { page } = await openConsole(name === 'dark' ? dark : browser, stage)
      if (name === 'twice as large from right to left') {
        // As wide as a window of 1440 pixels is at 200 %.
        await page.setViewportSize({ width: 720, height: 450 })
        await page.addInitScript(`addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl' })`)
      }
      const wrong: unknown[] = []
      const { problems } = watchPage(page, [stage.origin])
      await page.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
      for (const [title, path] of Object.entries(paths)) {
        await visit(page, path)
        for (const violation of await axeViolations(page)) wrong.push([title, violation])
        if ((await page.title()).includes('pwned')) wrong.push([title, 'markup was executed'])
        const width = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
        if (width > 0) wrong.push([title, `${width} pixels too wide`])
      }
      expect(wrong).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    },
  )
})

describe('the console', () => {
  test('finds an order by its number and shows every step of it', async () => {
    const { page } = await openConsole(browser, stage)
    await visit(page, paths['orders'] ?? '')
    await page.getByLabel('Number, email').fill(order.number)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor()
    await page.getByText(/^All \d+ steps/).click()
    await page.getByText('Order stored as').waitFor()
    const { db } = stage.server.context
    await sql`update orders set incomplete = true where id = ${order.id}`.execute(db)
    // As whoever stores orders does.
    sayNews(db, 'orders', order.shop)
    await page.getByText('Not complete yet').waitFor()
    await sql`update orders set incomplete = false where id = ${order.id}`.execute(db)
    await page.close()
  })

  test('shows the components in an outsider’s page', async () => {
    const { page } = await openConsole(browser, stage)
    await page.evaluate(`localStorage.setItem('entrepot.app', '${stage.merchant.appId}')`)
    await page.goto(`${stage.origin}/demo`)
    await page.getByRole('heading', { name: 'Which platform is your shop on?' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.close()
  })

  test('sends a delivery again', async () => {
    const { page } = await openConsole(browser, stage)
    await visit(page, webhookPath)
    const row = page.getByRole('row', { name: /webhook\.test/ })
    await row.getByText('delivered').waitFor()
    await row.getByRole('button', { name: 'Replay' }).click()
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await page.close()
  })

  test('hides what the user may not see, and says so to who comes by address', async () => {
    const { email } = await makeUser(stage.server.context, { permissions: ['read-client'] })
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, email)
    const main = await everyRoom(page)
    expect(await main.getByRole('link', { name: 'Clients' }).count()).toBe(1)
    expect(await main.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto(`${stage.origin}/console/users`)
    await page.getByRole('heading', { name: 'This page is not for you' }).waitFor()
    await page.goto(`${stage.origin}/console/clients`)
    await page.getByRole('heading', { name: 'Clients', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'New client' }).count()).toBe(0)
    await page.close()
  })

  test('invites somebody by a link, who joins with it and sees what the role may see', async () => {
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, stage.merchant.email)
    await page.goto(`${stage.origin}/console/team`)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByLabel('Email').fill('grace@example.com')
    await page.getByLabel('Role', { exact: true }).selectOption('support')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByText('/console/invitation#').innerText()
    await page.context().clearCookies()
    await page.goto(link.trim())
    await page.getByRole('heading', { name: /^Join/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await signIn(page, stage.origin, 'grace@example.com')
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
    const main = await everyRoom(page)
    await main.getByRole('link', { name: 'Messages' }).waitFor()
    for (const name of ['Team', 'Users', 'Clients', 'Version 1.0', 'First steps']) {
      expect([name, await main.getByRole('link', { name }).count()]).toEqual([name, 0])
    }
    await page.goto(`${stage.origin}/console${webhookPath}`)
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(await page.getByRole('button', { name: /secret|Replay|Delete|test/ }).count()).toBe(0)
    await page.close()
  })

  test('makes a link for a colleague who has forgotten the password, by which a new one is chosen', async () => {
    const { email } = await makeUser(stage.server.context, { company_id: stage.merchant.companyId })
    const page = await browser.context.newPage()
    await page.context().clearCookies()
    await page.goto(`${stage.origin}/console`)
    await page.getByRole('link', { name: 'Forgotten your password?' }).click()
    await page.getByLabel('Email').fill(email)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send the link' }).click()
    // There is no mail server here.
    await page.getByRole('heading', { name: 'Ask your team' }).waitFor()

    await signIn(page, stage.origin, stage.merchant.email)
    await page.goto(`${stage.origin}/console/team`)
    await page
      .getByRole('row', { name: new RegExp(email) })
      .getByRole('button', { name: 'Password link' })
      .click()
    const link = (await page.getByText('/console/new-password#').innerText()).trim()
    await page.context().clearCookies()
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill('12345678')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must not be easy to guess').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'New password' }).fill('another correct horse')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
    await signIn(page, stage.origin, email, 'another correct horse')
    await page.goto(link)
    await page.reload()
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await page.close()
  })

  test('shows everybody where they are signed in, ends it elsewhere, and changes the own password', async () => {
    const { email } = await makeUser(stage.server.context)
    const elsewhere = await dark.context.newPage()
    await signIn(elsewhere, stage.origin, email)
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, email)
    await page.getByRole('link', { name: 'Your account' }).click()
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('row')
    await rows.getByText('This one').waitFor()
    expect(await rows.count()).toBe(3)
    await rows.getByRole('button', { name: 'End' }).click()
    await page.getByText('It has ended.').waitFor()
    await elsewhere.goto(`${stage.origin}/console/account`)
    await elsewhere.getByRole('heading', { name: 'Sign in to Entrepot' }).waitFor()
    await elsewhere.close()

    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByLabel('Current password').fill('not the right one')
    await page.getByRole('textbox', { name: 'New password' }).fill('another correct horse')
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('The password is incorrect.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('Your password is changed.').waitFor()
    await signIn(page, stage.origin, email, 'another correct horse')
    await page.close()
  })

  test('leaves nothing in the browser’s storage that opens anything, and nothing after signing out', async () => {
    const { page } = await openConsole(browser, stage)
    const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie'))
    expect(kept).not.toMatch(/[A-Za-z0-9_-]{30,}/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Entrepot' }).waitFor()
    await page.goto(`${stage.origin}/console/apps`)
    await page.getByRole('heading', { name: 'Sign in to Entrepot' }).waitFor()
    await page.close()
  })
})
