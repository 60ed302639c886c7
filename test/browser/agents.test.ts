import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAgent } from '../agents/support.ts'
import { installed, rows } from '../integrations/support.ts'
import { makeAgentClient } from '../support/agents.ts'
import { password } from '../support/identity.ts'
import { freePort } from '../support/process.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'

/** The person's side of agents, by real clicks. */

let stage: Stage
let browser: Browser
let shopId: number
beforeAll(async () => {
  stage = await openStage(['sandbox'])
  browser = await openBrowser()
  shopId = Number((await installed(stage.merchant, { orders: 3 }))['id'])
})
afterAll(async () => {
  await browser.close()
  await stage.close()
})

const open: Server[] = []
afterAll(() => {
  for (const server of open) server.close()
})

/** Where the program waits for its answer. */
async function listenForAnswer(): Promise<{ redirect: string; answer: Promise<URL> }> {
  const port = await freePort()
  const redirect = `http://127.0.0.1:${port}/callback`
  const answer = new Promise<URL>((resolve) => {
    const server = createServer((request, response) => {
      response.end('You can close this window.')
      if (request.url?.startsWith('/callback')) resolve(new URL(request.url, redirect))
    }).listen(port, '127.0.0.1')
    open.push(server)
  })
  return { redirect, answer }
}

/** The browser has arrived there. Chromium may never close a page that is still on its way. */
const goodbye = (page: Page) => page.getByText('You can close this window.').waitFor()

async function request(redirect: string): Promise<string> {
  const { public_id: id } = await makeAgentClient(stage.server.context, 'Support desk')
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: id, redirect_uri: redirect, state: 'mine' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', resource: `${stage.origin}/mcp` },
  })
  return `${stage.origin}/oauth/authorize?${query}`
}

test('a person who is not signed in signs in, chooses, and the program gets its code', async () => {
  const { redirect, answer } = await listenForAnswer()
  const page = await browser.context.newPage()
  await page.goto(await request(redirect))
  await page.getByLabel('Email').fill(stage.merchant.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Give an agent access?' }).waitFor()
  await page.getByText('Nobody has verified that name').waitFor()
  await page.getByLabel('Only these').check()
  await page.locator(`input[name=shop][value="${shopId}"]`).check()
  await page.getByLabel('Refund an order').check()
  await page.getByLabel('Changes a day').fill('3')
  await page.getByRole('button', { name: 'Give access' }).click()
  const back = await answer
  await goodbye(page)
  expect([back.searchParams.get('state'), back.searchParams.get('code')]).toEqual([
    'mine',
    expect.stringMatching(/^agc_/),
  ])
  const { db } = stage.server.context
  const grant = await db.selectFrom('agent_grants').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(grant).toMatchObject({ shops: [shopId], customer_data: false, calls_per_hour: 300, writes_per_day: 3 })
  expect(grant.tools).toContain('refund_order')
  expect(grant.tools).not.toContain('cancel_order')
  await page.close()
})

test('a person who refuses sends the program away without a code', async () => {
  const { redirect, answer } = await listenForAnswer()
  const page = await browser.context.newPage()
  await signIn(page, stage.origin, stage.merchant.email)
  await page.goto(await request(redirect))
  await page.getByRole('link', { name: 'Refuse' }).click()
  expect(Object.fromEntries((await answer).searchParams)).toMatchObject({ error: 'access_denied', state: 'mine' })
  await goodbye(page)
  await page.close()
})

test('what an agent wants is approved by a click, and its access ends by another', async () => {
  const { server, origin, merchant } = stage
  const agent = await connectAgent({ server, origin }, merchant, { tools: ['fetch_again'] })
  const { data } = await agent.call('fetch_again', { shop_id: shopId, what: 'products' })
  const page = await browser.context.newPage()
  await signIn(page, origin, merchant.email)
  await page.goto(`${origin}/console/apps/${merchant.appId}/approvals`)
  const wish = page.getByRole('article', { name: /Fetch again from a shop/ })
  await wish.getByText('A test agent').waitFor()
  await wish.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved and carried out.').waitFor()
  expect((await agent.call('approval_status', { approval_id: data['approval_id'] })).data).toMatchObject({
    status: 'done',
    result: { resource: 'sync_products' },
  })
  await page.goto(`${origin}/console/apps/${merchant.appId}/agents`)
  await page
    .getByRole('row', { name: /A test agent/ })
    .getByRole('button', { name: 'End access' })
    .click()
  await page.locator('ep-dialog').getByRole('button', { name: 'End access' }).click()
  await page.getByText('Its access has ended.').waitFor()
  await expect(agent.call('limits')).rejects.toThrow()
  expect(rows(await merchant.asUser('GET', `/apps/${merchant.appId}/agents`))).toEqual([])
  await page.close()
})
