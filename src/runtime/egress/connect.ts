import { BlockList, connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { isAllowed, isPublicAddress, portOf } from '../../lib/addresses/public-address.ts'
import { Fault } from '../../lib/fault.ts'
import type { Log } from '../log.ts'
import { away, nameWithoutAddress, neverSent, timedOut, unreachable } from './egress-faults.ts'
import type { Lookup } from './resolve-name.ts'

/** Opens a socket to one of these addresses and to nothing else. Tests put a local listener behind it. */
export type Dial = (to: { addresses: readonly string[]; port: number }) => Socket

export interface ConnectOptions {
  allow: readonly string[]
  log: Log
  /** For names of the open internet. */
  lookup: Lookup
  /** For names on the list. */
  lookupAllowed: Lookup
  dial: Dial
  /** From the name to the finished handshake. */
  connectMs: number
  /** TLS on a socket that is already open. */
  secure: buildConnector.connector
}

/**
 * The only way out. The name is resolved here, once; every address it has must be public, and the socket is opened to
 * those very addresses. Between check and use there is nothing that could change the answer.
 */
export function guardedConnect(options: ConnectOptions): buildConnector.connector {
  return (to, callback) => {
    let socket: Socket | null = null
    let over = false
    // A socket that is torn down emits several errors: the first counts.
    const finish = (answer: () => void) => {
      clearTimeout(timer)
      if (over) return
      over = true
      answer()
    }
    const fail = (error: unknown) => {
      socket?.destroy()
      finish(() => callback(neverSent(error instanceof Fault ? error : away(error)), null))
    }
    const timer = setTimeout(() => fail(timedOut('connecting')), options.connectMs)

    const dial = (addresses: readonly string[]) => {
      if (over) return
      const opened = options.dial({ addresses, port: portOf(to) })
      socket = opened
      opened.setNoDelay(true).setKeepAlive(true, 60_000)
      opened.on('error', fail)
      opened.once('connect', () => {
        if (opened.destroyed) return
        if (to.protocol !== 'https:') return finish(() => callback(null, opened))
        options.secure({ ...to, httpSocket: opened }, (error, encrypted) =>
          error ? fail(error) : finish(() => callback(null, encrypted)),
        )
      })
    }
    checkedAddresses(options, to).then(dial).catch(fail)
  }
}

async function checkedAddresses(options: ConnectOptions, to: buildConnector.Options): Promise<readonly string[]> {
  const { hostname: host } = to
  const allowed = isAllowed(host, portOf(to), options.allow)
  const lookup = allowed ? options.lookupAllowed : options.lookup
  const addresses = isIP(host) === 0 ? await lookup(host) : [host]
  if (addresses.length === 0) throw nameWithoutAddress()
  // One that is not public is enough: a name that mixes them is trying something.
  if (!allowed && (to.protocol !== 'https:' || !addresses.every(isPublicAddress))) {
    options.log.warn({ host }, 'a request to an address that is not public was refused')
    throw unreachable()
  }
  return addresses
}

/** Tries the addresses of both versions in turn, as browsers do. */
export const dialPinned: Dial = ({ addresses, port }) => {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, pinned)
  const socket = connectSocket({ host: 'pinned.invalid', port, lookup, autoSelectFamily: true })
  return socket.once('connect', () => {
    if (!isOneOf(addresses, socket.remoteAddress)) socket.destroy(unreachable())
  })
}

/** By value: one address has many spellings. */
function isOneOf(addresses: readonly string[], address = ''): boolean {
  const list = new BlockList()
  for (const each of addresses) list.addAddress(each, familyOf(each))
  return list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
