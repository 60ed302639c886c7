import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { data, installed, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { type Finished, runEntrepot, startEntrepot } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** An instance on a socket, a tenant with a shop in it, and the command line as somebody elsewhere has it. */
export interface CliStage {
  server: TestServer
  url: string
  merchant: Merchant
  shop: { id: number; name: string }
  order: { id: number; number: string }
  /** Where the command line keeps what it knows. */
  folder: string
  env: Record<string, string>
  /** With the tenant's own token, unless the environment says otherwise. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Finished>
  start(args: readonly string[], env?: Record<string, string>): ReturnType<typeof startEntrepot>
  close(): Promise<void>
}

export async function openCliStage(): Promise<CliStage> {
  const server = await startTestServer({ works: true, webhookAllow: ['127.0.0.1'], requestLogDays: 3 })
  const url = await server.listen()
  const merchant = await makeMerchant(server)
  const integration = await installed(merchant, { orders: 5 })
  const id = Number(integration['id'])
  const list = () => merchant.asApp('GET', `/orders?integration_id=${id}&per_page=1`)
  await until(async () => rows(await list()).length === 1)
  const [first] = rows(await list())
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-cli-'))
  const env = { ENTREPOT_URL: url, ENTREPOT_TOKEN: merchant.userToken, XDG_CONFIG_HOME: folder }
  return {
    server,
    url,
    merchant,
    shop: { id, name: String(integration['name']) },
    order: { id: Number(first?.['id']), number: String(first?.['number']) },
    folder,
    env,
    run: (args, more = {}) => runEntrepot(args, { env: { ...env, ...more } }),
    start: (args, more = {}) => startEntrepot(args, { env: { ...env, ...more }, keyed: true }),
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const json = (text: string) => JSON.parse(text) as Record<string, unknown>
export { data, rows }
