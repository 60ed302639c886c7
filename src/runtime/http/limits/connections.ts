import type { Server, Socket } from 'node:net'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { addressList } from '../../../lib/addresses/address-list.ts'
import type { Log } from '../../log.ts'

export interface ConnectionLimits {
  /** Open at once, of everybody together. */
  all: number
  /** Open at once from one address; proxies that are trusted stand for many and are not counted. */
  perAddress: number
}

export const defaultConnections: ConnectionLimits = { all: 10_000, perAddress: 200 }

/** How often it is said that an address is over its share: whoever floods us must not flood the log. */
const sayEveryMs = 60_000

/**
 * Nobody takes all connections: from an address that has its share open already, further ones are closed before
 * anything is read or kept for them. For that the server's own listener is called by ours.
 */
export function limitConnections(
  server: Server,
  { all, perAddress }: ConnectionLimits,
  { trustProxy, log }: { trustProxy: readonly string[]; log: Log },
): void {
  server.maxConnections = all
  const isProxy = addressList(trustProxy)
  const open = new Map<string, number>()
  let saidAt = -sayEveryMs

  function refuse(socket: Socket, address: string) {
    socket.resetAndDestroy()
    if (performance.now() - saidAt < sayEveryMs) return
    saidAt = performance.now()
    log.warn({ address, perAddress }, 'connections of one address are refused; a proxy belongs into TRUST_PROXY')
  }

  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address !== undefined && !isProxy(address)) {
      const block = addressBlock(address)
      const count = open.get(block) ?? 0
      if (count >= perAddress) return refuse(socket, block)
      open.set(block, count + 1)
      socket.once('close', () => {
        const left = (open.get(block) ?? 1) - 1
        if (left > 0) open.set(block, left)
        else open.delete(block)
      })
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}
