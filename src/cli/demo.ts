import { type Config, ConfigError, readConfig } from '../config.ts'
import { isDemoSeed } from '../demo/demo-address.ts'
import { randomSecret } from '../lib/secret.ts'
import { called, command, type Output } from './command.ts'
import { askForDemo } from './demo/hand-over.ts'
import type { MadeDemo } from './demo/make-demo.ts'
import { runningService } from './running-service.ts'

export const demoCommand = command({
  name: 'demo',
  summary: 'Make a small world to look at: shops on five platforms, a month of orders, new ones as you watch',
  options: {
    seed: { type: 'string', description: 'The same seed makes the same products and orders; small letters and digits' },
    remove: { type: 'boolean', description: 'Remove every demo there is, with all its data' },
  },
  async run(values, output) {
    const config = readConfig()
    if (!config.demo) {
      throw new ConfigError(
        'Demos are for development only: use the embedded database, or set NODE_ENV=development for this command and the service.',
      )
    }
    const running = runningService(config.dataDir)
    const here = { ...config, publicUrl: running?.url ?? config.publicUrl }
    await (values.remove ? remove(here, output) : make(here, { seed: values.seed, running: running !== null }, output))
  },
})

async function make(config: Config, options: { seed: string | undefined; running: boolean }, output: Output) {
  const seed = options.seed ?? randomSecret(6).toLowerCase()
  if (!isDemoSeed(seed)) throw new ConfigError(`--seed must be 1 to 12 small letters and digits, not "${seed}".`)
  const made = (options.running ? await askForDemo(config, seed) : null) ?? (await makeAlone(config, seed))
  const demo = { base_url: config.publicUrl, ...made }
  output.result(demo, inWords(demo, options.running))
}

/** No service runs that could be asked: its software and its agent ask as everybody does, only without a socket. */
async function makeAlone(config: Config, seed: string): Promise<MadeDemo> {
  const [{ createDemoShops }, { makeDemo }, { auditedAs, keysThatHold }, { withProgram }] = await Promise.all([
    import('../demo/demo-shops.ts'),
    import('./demo/make-demo.ts'),
    import('./demo/make-here.ts'),
    import('./session.ts'),
  ])
  const hold = keysThatHold()
  const shops = createDemoShops(hold)
  return await withProgram(
    (program) => makeDemo(program, { seed, shops, takeKeysAway: hold.takeKeysAway }),
    auditedAs,
    { config, demoShops: shops, serves: true },
  )
}

async function remove(config: Config, output: Output) {
  const [{ removeDemos }, { withProgram }] = await Promise.all([
    import('../demo/remove-demos.ts'),
    import('./session.ts'),
  ])
  const removed = await withProgram(
    ({ context }) => removeDemos(context),
    { operation: 'demo --remove', what: 'Remove all demos' },
    { config },
  )
  const words = removed === 0 ? 'There is no demo.' : `Removed ${removed === 1 ? 'the demo' : `${removed} demos`}.`
  output.result({ removed }, words)
}

type Demo = { base_url: string } & MadeDemo

const inWords = (demo: Demo, running: boolean) => {
  const { base_url, user, app, app_client, password_client, account, integration, integrations } = demo
  return `The demo is ready.

  Console      ${base_url}/console
  Components   ${base_url}/demo (what your merchants see)
  Email        ${user.email}
  Password     ${user.password}
${running ? '' : `\nThe service does not run yet. Start it with: ${called} start\n`}
${integrations.length} shops with a month of orders. New orders arrive about every 20 seconds, one shop has just lost its
access, one webhook fails for half a minute and then recovers, two shops share one stock, and an agent waits for your approval.

For API calls:

  app client         ${app_client.id} / ${app_client.secret}
  password client    ${password_client.id} / ${password_client.secret}
  app                ${app.id}
  account            ${account.remote_id}
  integration        ${integration.id} (${integration.integrationKey})
  gateway key        ${integration.gateway_key}

  TOKEN=$(curl -s ${base_url}/oauth/token -d grant_type=client_credentials -d client_id=${app_client.id} \\
    -d client_secret=${app_client.secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -s ${base_url}/api/2.0/app/integrations -H "Authorization: Bearer $TOKEN"

Remove it with: ${called} demo --remove`
}
