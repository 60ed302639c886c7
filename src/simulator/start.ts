import { once } from 'node:events'
import type { Controls } from './control.ts'
import type { OpenedShop } from './open-shop.ts'
import type { SimulatorOptions } from './options.ts'
import { createShopServer } from './serve.ts'
import { openShopOn } from './simulator.ts'

/** A simulator with a port of its own. */
export interface Simulator extends Controls {
  baseUrl: string
  /** For `EGRESS_ROUTE`: which hosts of the platform are to be led here. */
  egressRoute: string
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
  const baseUrl = `http://127.0.0.1:${address.port}`
  const shop = openShopOn(options, baseUrl)
  opened = shop
  const { simulator, platform, world } = shop
  return {
    ...simulator,
    baseUrl,
    egressRoute: (platform.hosts ?? []).map((host) => `${host}=${baseUrl}`).join(','),
    async close() {
      world.courier.stop()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
