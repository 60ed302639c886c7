import { readEgressRoute } from '../../src/runtime/egress/egress-routes.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import type { Merchant } from '../integrations/support.ts'
import type { TestAnswer } from './server.ts'

/** Where the hosts of a simulated platform are found, as `EGRESS_ROUTE` would say it. */
export const routesOf = ({ egressRoute }: Pick<Simulator, 'egressRoute'>): Map<string, string> =>
  new Map(
    egressRoute
      .split(',')
      .map(readEgressRoute)
      .filter((route) => route !== null),
  )

/** Simulated shops of any platform, as a server under test finds them. */
export interface SimulatedShops {
  /** What the server takes as `egressRoutes`; shops that open later are found all the same. */
  routes: Map<string, string>
  open(options: SimulatorOptions): Promise<Simulator>
  close(): Promise<void>
}

export function simulatedShops(): SimulatedShops {
  const routes = new Map<string, string>()
  const running: Simulator[] = []
  return {
    routes,
    async open(options) {
      const simulator = await startSimulator(options)
      running.push(simulator)
      for (const [host, origin] of routesOf(simulator)) routes.set(host, origin)
      return simulator
    },
    async close() {
      await Promise.all(running.splice(0).map((simulator) => simulator.close()))
    },
  }
}

/** Installs the connector of the shop's platform with what the merchant would type. */
export async function installOn(
  merchant: Merchant,
  { install: { type, shop, settings, credentials } }: Pick<Simulator, 'install'>,
  more: Record<string, unknown> = {},
): Promise<TestAnswer> {
  await merchant.offer(type)
  return await merchant.asApp('POST', `/${type}/install`, {
    ...{ name: shop, shop, remote_id: merchant.remoteId, settings, credentials },
    ...more,
  })
}
