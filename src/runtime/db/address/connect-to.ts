import { Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls'
import { parseIntoClientConfig } from 'pg-connection-string'
import { parseDatabaseAddress } from './database-address.ts'
import { type WritableServer, writableServer } from './writable-server.ts'

/** Shared by all connections of the process to the same address. */
const servers = new Map<string, WritableServer>()

interface Way {
  connectionString: string
  stream?: () => Socket
  ssl?: ConnectionOptions | boolean
}

/**
 * What the driver needs to reach the database. Where several servers are named, each connection goes to the one that takes
 * writes at that moment: the driver knows one host, so what it is given is a socket that finds its own way. Once none has taken
 * writes for `patienceMs`, connections fail at once: whoever comes then would only stand in the way of those who come later.
 */
export function connectTo(url: string, { patienceMs = Number.POSITIVE_INFINITY } = {}): Way {
  const address = parseDatabaseAddress(url)
  const [first] = address?.urls ?? []
  if (!address?.needsWritable || first === undefined) return { connectionString: first ?? url }
  const server = servers.get(url) ?? writableServer(address.urls)
  servers.set(url, server)
  const stream = () => new RoamingSocket(server, patienceMs)
  const { ssl } = parseIntoClientConfig(first)
  if (ssl === undefined || typeof ssl === 'boolean') return { connectionString: first, stream }
  // What the address says of TLS would be read once more, and take precedence.
  const bare = new URL(first)
  for (const name of [...bare.searchParams.keys()]) if (name.startsWith('ssl')) bare.searchParams.delete(name)
  const names = address.urls.map((one) => new URL(one).hostname)
  return { connectionString: bare.href, stream, ssl: { ...ssl, checkServerIdentity: isOneOf(names) } }
}

/** The server that a connection was made to turned out not to take writes. */
export const doubtServer = (url: string): void => servers.get(url)?.doubt()

/** Whichever server it is, it must be one of those that were named. */
const isOneOf = (names: readonly string[]) => (_: string, certificate: PeerCertificate) => {
  const faults = names.map((name) => checkServerIdentity(name, certificate))
  return faults.some((fault) => fault === undefined) ? undefined : faults[0]
}

class RoamingSocket extends Socket {
  readonly #server: WritableServer
  readonly #patienceMs: number
  readonly #left = new AbortController()

  constructor(server: WritableServer, patienceMs: number) {
    super()
    this.#server = server
    this.#patienceMs = patienceMs
    // Not by us: the server may have ended with it, and asking costs little. A server that says good-bye first has us end as well.
    const doubtUnlessLeft = () => {
      if (!this.writableEnded) server.doubt()
    }
    this.once('end', doubtUnlessLeft)
    this.once('connect', () => {
      const leave = server.join()
      this.once('close', leave)
    })
    this.once('close', () => {
      this.#left.abort()
      doubtUnlessLeft()
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the many forms of the original
  override connect(..._given: any[]): this {
    this.#server.find(this.#left.signal, this.#patienceMs).then(
      (url) => {
        const { hostname, port } = new URL(url)
        if (!this.destroyed) super.connect(Number(port || 5432), hostname)
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return this
  }
}
