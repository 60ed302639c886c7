import { once } from 'node:events'
import type { DialectName, SimulatorOptions } from './options.ts'
import type { Install } from './platform.ts'
import { createShopServer } from './serve.ts'
import { type Controls, type OpenedShop, openDialect, openPlatform } from './simulator.ts'

/** A simulator with a port of its own. */
export interface Simulator extends Controls {
  baseUrl: string
  dialect: DialectName
  /** For `EGRESS_ROUTE`: which hosts of the platform are to be led here. */
  egressRoute: string
  install: Install | null
  close(): Promise<void>
}

/** A shop of its own on a port of this machine, until it is closed. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  let opened: OpenedShop | null = null
  const server = createShopServer(() => {
    if (!opened) throw new Error('The shop is not open yet.')
    return opened
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The simulator has no port.')
  const origin = `http://127.0.0.1:${address.port}`
  const platform = options.platform === undefined ? null : openPlatform(options, origin)
  const shop = platform ?? openDialect(options, origin)
  opened = shop
  return {
    ...shop.simulator,
    baseUrl: origin,
    dialect: options.dialect ?? 'shopify',
    egressRoute: (platform?.platform.hosts ?? []).map((host) => `${host}=${origin}`).join(','),
    install: platform?.platform.install ?? null,
    async close() {
      shop.courier.stop()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
