import { describe, expect, test } from 'vitest'
import type { Connector } from '../src/commerce/connector.ts'
import { connectors } from '../src/connectors/index.ts'
import { testCredentials } from '../src/domain/install/install-integration.ts'
import { createTransport } from '../src/domain/shop/transport.ts'
import { Fault } from '../src/lib/fault.ts'
import { away, redirected, timedOut } from '../src/runtime/egress/egress-faults.ts'
import type { Egress, EgressAnswer } from '../src/runtime/egress/egress-request.ts'
import { openSimulator } from '../src/simulator/simulator.ts'
import { describedConnectors } from './support/conformance-shops.ts'
import { described } from './support/described-services.ts'

/** What merchants read who connect a shop that is not there, not reachable or not well: the same for every service. */

type Fetch = Egress['fetch']

const say =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Fetch =>
  async () =>
    ({ status, headers: { 'content-type': type, ...headers }, bytes: Buffer.from(body) }) as EgressAnswer

const fail =
  (fault: () => Fault): Fetch =>
  async () => {
    throw fault()
  }

const below = (code: string) => fail(() => away(Object.assign(new Error(code), { code })))

/** Their shops live on hosts of the platform, which are there. */
const hosted = ['amazon', 'bigcommerce', 'ebay', 'etsy', 'squarespace', 'tiktok_shop', 'walmart', 'wix']

const withAddress = [...connectors.values(), ...describedConnectors].filter(({ type }) => !hosted.includes(type))

function installing(connector: Connector, fetch: (call: Parameters<Fetch>[0], real: Fetch) => ReturnType<Fetch>) {
  const own = described.find(({ type }) => type === connector.type)
  const options = own ? { platform: 'custom', variant: { manner: own.manner } } : { platform: connector.type }
  const simulator = openSimulator({ orders: 3, products: 2, ...options })
  const real: Fetch = async ({ method, url, headers = {}, body }) =>
    (await simulator.answer({ method, url, headers, body: Buffer.from(body ?? '') })) as EgressAnswer
  const transport = createTransport({ fetch: (call) => fetch(call, real) })
  const { credentials, ...facts } = simulator.install
  return testCredentials({ transport }, connector, facts, credentials ?? simulator.keep())
}

const page = '<!doctype html><html><title>My shop</title><p>Welcome'
const maintenance = '<html><title>Maintenance</title>Briefly unavailable for scheduled maintenance.'

interface Outcome {
  message: RegExp
  /** Where somebody should look who has just typed it. */
  field?: string
  maxWait?: number
}

const failures: readonly (readonly [what: string, Fetch, Outcome])[] = [
  ['an unknown host', below('ENOTFOUND'), { message: /There is no server of this name/, field: 'shop' }],
  ['a server that refuses', below('ECONNREFUSED'), { message: /The server refuses connections/ }],
  ['a wrong certificate', below('ERR_TLS_CERT_ALTNAME_INVALID'), { message: /certificate/, field: 'shop' }],
  ['a broken connection', below('ECONNRESET'), { message: /broke the connection off/ }],
  ['a server that is silent', fail(() => timedOut('the answer')), { message: /did not answer in time/ }],
  [
    'maintenance',
    say(503, 'text/html', maintenance, { 'retry-after': '600' }),
    { message: /under maintenance\. The shop says: "Maintenance"/, maxWait: 30 },
  ],
  [
    'an error of the server',
    say(500, 'text/html', page),
    { message: /failed with status 500\. The shop says: "My shop"/ },
  ],
  ['a page instead of data', say(200, 'text/html', page), { message: /web page .*"My shop"/, field: 'shop' }],
  [
    'a redirect to another host',
    fail(() => redirected(new URL('https://www.acme.example/x?key=1'))),
    { message: /redirects to https:\/\/www\.acme\.example, which is not followed/, field: 'shop' },
  ],
  ['another kind of site', say(404, 'text/html', page), { message: /^There is no .+ at this address/ }],
]

describe.each(withAddress.map((connector) => ({ type: connector.type, connector })))('$type', ({ connector }) => {
  test.each(failures)('%s has a sentence of its own', async (_, fetch, { message, field, maxWait }) => {
    const failure = await installing(connector, fetch).catch((error: unknown) => error)
    if (!(failure instanceof Fault)) throw failure
    expect(failure.message).toMatch(message)
    if (field) expect(Object.keys(failure.errors ?? {})).toEqual([field])
    if (maxWait) expect(failure.retryAfterSeconds).toBeLessThanOrEqual(maxWait)
  })

  test('notices before the data do not matter', async () => {
    const notice = '<br />\n<b>Notice</b>: Undefined index "a" in <b>x.php</b> on line 3<br />\n'
    await installing(connector, async (call, real) => {
      const answer = await real(call)
      const isData = /^\s*[[{]/.test(answer.bytes.toString())
      const bytes = isData ? Buffer.concat([Buffer.from(notice), answer.bytes]) : answer.bytes
      return { ...answer, headers: { ...answer.headers, ...(isData ? { 'content-type': 'text/html' } : {}) }, bytes }
    })
  })
})
