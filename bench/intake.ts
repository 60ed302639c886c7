import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { saveShopSecrets } from '../src/domain/shop-webhooks/shop-webhooks-store.ts'
import { makeIntegration } from '../test/support/gateway.ts'
import { makeApp } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startEntrepot, startFile } from './support/child.ts'
import { measureRatio, type RatioResult } from './support/ratio.ts'

/** Signed messages of a shop, taken in by us and by a bare handler, in turns. */
export async function measureIntake(options: {
  databaseUrl: string
  rounds: number
  seconds: number
  connections: number
  nodeOptions?: readonly string[]
  progress(text: string): void
}): Promise<RatioResult> {
  const { databaseUrl, seconds, connections } = options
  const settings = {
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://entrepot.test',
    ENTREPOT_ROLE: 'api',
    ...unlimited,
  }
  const secret = randomBytes(32).toString('hex')
  const { integrationId, shop } = await prepare(settings, secret)
  const bare = await startFile(new URL('intake-bare.ts', import.meta.url), { databaseUrl, integrationId, secret })
  const ours = await startEntrepot(settings, options.nodeOptions)
  try {
    const post = messages(secret)
    const toBare = { url: `${bare.url}/hook`, post, connections, seconds }
    const toOurs = { url: `${ours.url}/api/1.0/webhook_callback/woocommerce/0/${shop}`, post, connections, seconds }
    for (const { url } of [toBare, toOurs]) await expectRefusal(url, post)
    return await measureRatio({ bare: toBare, ours: toOurs }, options)
  } finally {
    await Promise.all([bare.stop(), ours.stop()])
  }
}

async function prepare(settings: Settings, secret: string): Promise<{ integrationId: number; shop: string }> {
  const { context, close } = await openProgram(settings)
  try {
    const { integration } = await makeIntegration(context, { appId: await makeApp(context) }, { type: 'woocommerce' })
    await saveShopSecrets(context.db, context.keys, integration.id, { address: 'https://here.test', secrets: [secret] })
    return { integrationId: integration.id, shop: integration.shop }
  } finally {
    await close()
  }
}

/** The same order, reported by another message each time. */
function messages(secret: string) {
  const lines = Array.from({ length: 20 }, (_, n) => ({ id: n, sku: `SKU-${n}`, title: `Thing ${n}`, price: '12.50' }))
  const body = JSON.stringify({
    id: 1001,
    name: '#1001',
    updated_at: '2026-11-15T10:00:00Z',
    line_items: lines,
  }).padEnd(2048)
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-signature': signature,
  }
  return () => ({ headers: { ...headers, 'x-wc-webhook-delivery-id': randomUUID() }, body })
}

/** Both take what is signed, and nothing else. */
async function expectRefusal(url: string, post: ReturnType<typeof messages>): Promise<void> {
  const { headers, body } = post()
  const [right, wrong] = await Promise.all([
    fetch(url, { method: 'POST', headers, body }),
    fetch(url, { method: 'POST', headers, body: `${body} ` }),
  ])
  if (right.status !== 200 || wrong.status !== 401) throw new Error('The two servers do not do the same.')
}
