import { hash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { open, press } from '../support/browser.ts'

let simulator: Simulator | null = null
afterEach(() => simulator?.close())

const back = 'http://127.0.0.1:9/back'

async function ask(more: Record<string, string> = {}) {
  simulator = await startSimulator({ platform: 'shopify', orders: 1, products: 1 })
  const { client_id = '' } = simulator.install.client
  const query = new URLSearchParams({
    client_id,
    redirect_uri: back,
    state: '"><b>&amp;',
    scope: 'read_orders',
    ...more,
  })
  return { shop: simulator, page: await open(`${simulator.baseUrl}/admin/oauth/authorize?${query}`) }
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

test('an unknown app, or one that does not say where to return to, is not asked about', async () => {
  for (const wrong of [{ client_id: 'x' }, { redirect_uri: 'javascript:alert(1)' }, { redirect_uri: '' }]) {
    const { page } = await ask(wrong)
    expect([page.status, page.text.includes('<form')]).toEqual([400, false])
    await simulator?.close()
  }
  simulator = null
})

test('a shop is asked for under the name by which it was visited', async () => {
  const { shop } = await ask()
  const query = new URLSearchParams({ client_id: shop.install.client['client_id'] ?? '', redirect_uri: back })
  const page = await open(`${shop.baseUrl}/_host/tea.myshopify.com/admin/oauth/authorize?${query}`)
  expect(page.text).toContain('tea.myshopify.com')
  const { location } = await press(page, 'allow')
  expect(new URL(location ?? '').searchParams.get('shop')).toBe('tea.myshopify.com')
})
