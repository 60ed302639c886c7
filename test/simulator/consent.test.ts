import { hash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { open, press } from '../support/browser.ts'

let simulator: Simulator | null = null
afterEach(() => simulator?.close())

const back = 'http://127.0.0.1:9/back'

async function ask(more: Record<string, string> = {}) {
  simulator = await startSimulator({ dialect: 'shopify', orders: 1, products: 1 })
  const { client_id = '' } = simulator.credentials
  const query = new URLSearchParams({
    client_id,
    redirect_uri: back,
    state: '"><b>&amp;',
    scope: 'read_orders',
    ...more,
  })
  return { shop: simulator, page: await open(`${simulator.baseUrl}/admin/oauth/authorize?${query}`) }
}

async function exchange({ baseUrl, credentials }: Simulator, fields: Record<string, string>): Promise<number> {
  const { client_id = '', client_secret = '' } = credentials
  const body = new URLSearchParams({ client_id, client_secret, ...fields })
  return (await fetch(`${baseUrl}/admin/oauth/access_token`, { method: 'POST', body })).status
}

test('a merchant sees who asks for what, on a page that loads and runs nothing', async () => {
  const { page, shop } = await ask()
  expect(page.status).toBe(200)
  expect(page.text).toContain(shop.shop)
  expect(page.text).toContain('read_orders')
  expect(page.text).not.toMatch(/<script|<b>|https?:\/\/(?!127\.0\.0\.1:9)/)
  const style = /<style>([^<]*)<\/style>/.exec(page.text)?.[1] ?? ''
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
})

test('who allows it goes back with a code, who does not with the reason, both with the state as it came', async () => {
  const { page } = await ask()
  const allowed = new URL((await press(page, 'allow')).location ?? '').searchParams
  expect([allowed.get('state'), allowed.get('error'), typeof allowed.get('code')]).toEqual([
    '"><b>&amp;',
    null,
    'string',
  ])
  const denied = new URL((await press(page, 'deny')).location ?? '').searchParams
  expect([denied.get('state'), denied.get('error'), denied.get('code')]).toEqual(['"><b>&amp;', 'access_denied', null])
})

test('a code that was asked for with a challenge needs the verifier', async () => {
  const verifier = 'v'.repeat(64)
  const challenge = hash('sha256', verifier, 'buffer').toString('base64url')
  const { page, shop } = await ask({ code_challenge: challenge, code_challenge_method: 'S256' })
  const code = async () => new URL((await press(page, 'allow')).location ?? '').searchParams.get('code') ?? ''
  expect(await exchange(shop, { code: await code() })).toBe(400)
  expect(await exchange(shop, { code: await code(), code_verifier: 'wrong' })).toBe(400)
  expect(await exchange(shop, { code: await code(), code_verifier: verifier })).toBe(200)
})

test('an unknown app, or one that does not say where to return to, is not asked about', async () => {
  for (const wrong of [{ client_id: 'x' }, { redirect_uri: 'javascript:alert(1)' }, { redirect_uri: '' }]) {
    const { page } = await ask(wrong)
    expect([page.status, page.text.includes('<form')]).toEqual([400, false])
    await simulator?.close()
  }
  simulator = null
})

test('refresh tokens end unused after ninety days', async () => {
  const { shop } = await ask()
  const fields = (token = '') => ({ grant_type: 'refresh_token', refresh_token: token })
  const [early, late] = shop.issue(2)
  shop.advance(89 * 86_400)
  expect(await exchange(shop, fields(early?.['refresh_token']))).toBe(200)
  shop.advance(86_400)
  expect(await exchange(shop, fields(late?.['refresh_token']))).toBe(400)
})
