import type { Program } from '../../compose.ts'
import type { Config } from '../../config.ts'
import { createDemoShops } from '../../demo/demo-shops.ts'
import { createTransport } from '../../domain/shop/transport.ts'
import { Fault } from '../../lib/fault.ts'
import type { Egress } from '../../runtime/egress/egress-request.ts'
import { auditing } from '../session.ts'
import { type MadeDemo, makeDemo } from './make-demo.ts'

export const auditedAs = { operation: 'demo', what: 'Make a demo' }

/** Shops of a demo are the only ones that are asked while it is made. */
const nowhere: Egress = {
  fetch: async () => {
    throw new Fault('upstream_refused', 'This is no shop of the demo.')
  },
  close: async () => undefined,
}

/** In the service that runs: beside its own shops, of which one refuses its keys already, stand those that still take them. */
export async function makeDemoHere(
  program: Program,
  { config, url, seed }: { config: Config; url: string; seed: string },
): Promise<MadeDemo> {
  const hold = keysThatHold()
  const shops = createDemoShops(hold)
  const context = { ...program.context, publicUrl: url, transport: createTransport(shops.around(nowhere)) }
  return await auditing(
    { ...program, context },
    config,
    (mine) => makeDemo(mine, { seed, shops, takeKeysAway: hold.takeKeysAway }),
    auditedAs,
  )
}

/** Until they are taken away. */
export function keysThatHold() {
  let hold = true
  return {
    keysHold: () => hold,
    takeKeysAway: () => {
      hold = false
    },
  }
}
