import { openInBrowser } from './browser.ts'
import { remoteCommand } from './connect.ts'

/** Pages of the console by the word that people use; `{app}` is the app that is meant. */
const pages: Readonly<Record<string, string>> = {
  console: '/console',
  apps: '/console/apps',
  orders: '/console/apps/{app}/orders',
  shops: '/console/apps/{app}/integrations',
  connect: '/console/apps/{app}/connect',
  runs: '/console/apps/{app}/runs',
  logs: '/console/apps/{app}/logs',
  webhooks: '/console/apps/{app}/webhooks',
  clients: '/console/clients',
  account: '/console/account',
  docs: '/docs',
  guides: '/docs/guides',
}

export const openCommand = remoteCommand({
  name: 'open',
  summary: 'Open a page of the console, or print its address',
  arguments: [{ name: 'WHAT', description: 'Which page; console by default', values: Object.keys(pages) }],
  options: { print: { type: 'boolean', description: 'Only print the address' } },
  async run({ print }, output, [what = 'console'], connect) {
    const connection = await connect()
    const path = pages[what] ?? '/console'
    const app = path.includes('{app}') ? String(await connection.appId()) : ''
    const url = connection.url + path.replace('{app}', app)
    output.result({ url }, url)
    if (!print) openInBrowser(url)
  },
})
