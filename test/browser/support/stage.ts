import { data, type Merchant, makeMerchant } from '../../integrations/support.ts'
import { freePort } from '../../support/process.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { type SimulatedShops, simulatedShops } from '../../support/simulated.ts'

/** The whole program on a socket, with its worker, and a merchant whose app offers the sandbox and two platforms. */
export interface Stage {
  server: TestServer
  origin: string
  merchant: Merchant
  /** The id of a service by its type. */
  services: Record<string, number>
  simulated: SimulatedShops
  accountToken(): Promise<string>
  close(): Promise<void>
}

export async function openStage(
  types: readonly string[] = ['sandbox', 'shopify', 'woocommerce'],
  { requestLogDays }: { requestLogDays?: number } = {},
): Promise<Stage> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const simulated = simulatedShops()
  const server = await startTestServer({
    works: true,
    egressAllow: ['127.0.0.1'],
    egressRoutes: simulated.routes,
    publicUrl: origin,
    ...(requestLogDays !== undefined && { requestLogDays }),
  })
  await server.program.http?.listen('127.0.0.1', port)
  const merchant = await makeMerchant(server)
  const services: Record<string, number> = {}
  for (const type of types) services[type] = await merchant.offer(type)
  return {
    server,
    origin,
    merchant,
    services,
    simulated,
    async accountToken() {
      const intent = data(await merchant.asApp('POST', `/intent/${merchant.remoteId}`, { scopes: ['*'] }))
      const answer = await fetch(`${origin}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ grant_type: 'intent_token', intent_token: intent['token'] }),
      })
      return String(((await answer.json()) as { access_token?: string }).access_token)
    },
    async close() {
      await simulated.close()
      await server.close()
    },
  }
}
