import { lookup as lookUp, Resolver } from 'node:dns/promises'

/** All addresses of a name, of both versions. */
export type Lookup = (host: string) => Promise<readonly string[]>

interface ResolverOptions {
  /** The machine's own by default. */
  servers?: readonly string[] | undefined
  timeoutMs?: number
}

/**
 * Asks the name servers, and nothing else: neither the machine's own host file nor its search domains have a say in
 * where a public name leads. Unlike the system's call it holds no thread while it waits, so that names that answer
 * slowly on purpose delay nobody else.
 */
export const createResolver =
  ({ servers, timeoutMs = 1_000 }: ResolverOptions = {}): Lookup =>
  async (host) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw answers.find((answer) => answer.status === 'rejected')?.reason
  }

/** As the machine itself sees it, host file included: for the hosts that whoever runs this has named. */
export const lookUpLocally: Lookup = async (host) => {
  const answers = await lookUp(host, { all: true })
  return answers.map(({ address }) => address)
}

/** The texts of a name; none for one that does not exist, or that no server answers for. */
export const createTxtReader =
  ({ servers, timeoutMs = 2_000 }: ResolverOptions = {}) =>
  async (name: string): Promise<readonly string[]> => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const records = await resolver.resolveTxt(name).catch(() => [])
    return records.map((parts) => parts.join(''))
  }
