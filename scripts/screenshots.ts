import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/browser/support/chromium.ts'
import { signIn } from '../test/browser/support/console.ts'
import { openShowcase } from '../test/browser/support/showcase.ts'
import { shootParts } from './part-pictures.ts'

/**
 * Pictures of every page at desktop and phone width, light and dark: `npm run screenshots [folder]`. Those in
 * `docs/pictures` are made with `npm run screenshots docs/pictures --only overview,order,connect`, those of parts, which `web/DESIGN.md`
 * shows, with `npm run screenshots docs/pictures/parts -- --parts`.
 */
const [folder = 'screenshots', ...rest] = process.argv.slice(2)
const only =
  rest
    .join(' ')
    .match(/--only[= ](\S+)/)?.[1]
    ?.split(',') ?? null

if (rest.includes('--parts')) {
  await shootParts(folder)
  process.exit()
}

const program = await openShowcase()
const { origin, app, integration, order, webhook, run, message, agentRequest, email, password } = program
const pages: Record<string, string> = {
  overview: '/console',
  start: '/console/start',
  apps: '/console/apps',
  app: `/console/apps/${app}`,
  integrations: `/console/apps/${app}/integrations`,
  integration: `/console/apps/${app}/integrations/${integration}`,
  connect: `/console/apps/${app}/connect`,
  orders: `/console/apps/${app}/orders`,
  products: `/console/apps/${app}/products`,
  stock: `/console/apps/${app}/stock`,
  platforms: `/console/apps/${app}/platforms`,
  flows: `/console/apps/${app}/flows`,
  branding: `/console/apps/${app}/branding`,
  'gateway-keys': `/console/apps/${app}/gateway-keys`,
  parcels: `/console/apps/${app}/parcels`,
  order: `/console/apps/${app}/integrations/${integration}/orders/${order}`,
  'shared-stock': `/console/apps/${app}/shared-stock`,
  runs: `/console/apps/${app}/runs`,
  run: `/console/apps/${app}/integrations/${integration}/runs/${run}`,
  schedules: `/console/apps/${app}/schedules`,
  logs: `/console/apps/${app}/logs`,
  webhooks: `/console/apps/${app}/webhooks`,
  webhook: `/console/apps/${app}/webhooks/${webhook}`,
  alerts: `/console/apps/${app}/alerts`,
  'alert-settings': `/console/apps/${app}/alert-settings`,
  undelivered: `/console/apps/${app}/undelivered?outcome=all`,
  message: `/console/apps/${app}/integrations/${message.integration}/messages/${message.id}`,
  accounts: `/console/apps/${app}/accounts`,
  customers: `/console/apps/${app}/customers`,
  agents: `/console/apps/${app}/agents`,
  approvals: `/console/apps/${app}/approvals?status=all`,
  'let-in': `/console/let-in?${agentRequest}`,
  clients: '/console/clients',
  team: '/console/team',
  'single-sign-on': '/console/team/single-sign-on',
  users: '/console/users',
  audit: '/console/audit',
  requests: `/console/apps/${app}/requests`,
  catalogue: '/console/catalogue',
  'own-services': '/console/own-services',
  studio: '/console/own-services/new',
  'v1-usage': '/console/v1-usage',
  nowhere: '/console/no/such/page',
  account: '/console/account',
  device: '/console/device',
  'forgotten-password': '/console/forgotten-password',
  'new-password': '/console/new-password#spent',
  demo: '/demo',
  docs: '/docs',
  guides: '/docs/guides',
  guide: '/docs/guides/webhooks',
}

await mkdir(folder, { recursive: true })
for (const look of [
  { name: 'desktop', width: 1440, height: 900, dark: false },
  { name: 'phone', width: 390, height: 844, dark: false },
  { name: 'dark', width: 1440, height: 900, dark: true },
  { name: 'phone-dark', width: 390, height: 844, dark: true },
]) {
  const browser = await openBrowser(look)
  const page = await browser.context.newPage()
  await page.goto(`${origin}/console`)
  await page.getByLabel('Email').waitFor()
  if (!only) await shoot(page, `sign-in-${look.name}`)
  await signIn(page, origin, email, password)
  for (const [name, path] of Object.entries(pages)) {
    if (only && !only.includes(name)) continue
    await page.goto(origin + path)
    // Pages that keep themselves up to date may never be quite still.
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
    await shoot(page, `${name}-${look.name}`)
  }
  await browser.close()
}
await program.close()

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  process.stdout.write(`${name}\n`)
}
