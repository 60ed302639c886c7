import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { askToken } from '../support/identity.ts'
import { freePort } from '../support/process.ts'
import { makeLogin, withContext } from './support/identities.ts'
import { watchMemory } from './support/memory.ts'
import { proof } from './support/proof.ts'
import { withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import { countStatuses, type Sent, steadyLoad } from './support/steady-load.ts'

/** Every address of 127.0.0.0/8 is one of its own. */
const flooder = '127.0.0.2'

/** One address floods us with connections and with bodies that never end: nobody else notices. */
export const floods = proof({
  name: 'floods',
  asked:
    '10,000 idle or slow sockets and 1,500 held bodies from one address, renewed a thousand a second: others’ requests 0 refused, probes answer, RSS +≤ 200 MB',
  full: { sockets: 10_000, bodies: 1_500, seconds: 30 },
  quick: { sockets: 400, bodies: 220, seconds: 2 },
  async run({ sockets, bodies, seconds }, lab) {
    const probePort = await freePort()
    const settings = settingsFor(await lab.database('migrated'))
    const served = { ...settings, CONNECTIONS_PER_ADDRESS: '200', PROBE_PORT: String(probePort) }
    return await withContext(settings, (context) =>
      withServers([served], async ([server]) => {
        if (!server) throw new Error('There is no server.')
        const { grant } = await makeLogin(context, { permissions: ['read-user'] })
        const token = (await askToken(context, grant)).access_token
        const asked = { url: `${server.url}/api/1.0/users/information`, token }
        const told = { url: `${server.url}/api/1.0/webhook_callback/nobody/0/a`, method: 'POST', body: {} } as const
        const probed = { url: `http://127.0.0.1:${probePort}/live` }
        const load = steadyLoad({ perSecond: 20, next: (n) => [asked, told][n % 3] ?? probed })
        const memory = watchMemory(server.pid)
        const port = Number(new URL(server.url).port)
        await sleep(1000)
        const before = await memory.now()
        const counts: string[] = []
        for (const flood of [idle, slow, held]) {
          const wanted = flood === held ? bodies : sockets
          lab.progress(flood.name)
          counts.push(await keepOpen(port, { wanted, seconds, first: flood }))
        }
        await load.stop()
        const peak = await memory.stop()
        await sleep(2000)
        const after = await memory.now()
        const refused = load.sent.filter(({ status }) => status !== 200 && status !== 404)
        return {
          measured: `${counts.join('; ')}; others: ${countStatuses(load.sent)}, ${refused.length} refused; ${slowest(load.sent)}; RSS ${before} MB, +${peak - before} at most, +${after - before} after`,
          pass: refused.length === 0 && peak - before <= 200,
        }
      }),
    )
  },
})

const slowest = (sent: readonly Sent[]) => {
  const times = sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
  return `p99 ${Math.round(times[Math.floor(times.length * 0.99)] ?? 0)} ms`
}

interface Flood {
  name: string
  sends: { head: string; filled: number }
}

const idle: Flood = { name: 'idle', sends: { head: '', filled: 0 } }
const slow: Flood = { name: 'slow', sends: { head: 'GET /live HTTP/1.1\r\nHost: a\r\nX-Slow: ', filled: 0 } }
const mebibyte = 1024 * 1024
const held: Flood = {
  name: 'held bodies',
  sends: {
    head: `POST /api/1.0/webhook_callback/shopify/0/- HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${mebibyte}\r\n\r\n`,
    filled: mebibyte - 1,
  },
}

/** A process of its own: what it costs to flood is not to be taken for what it costs to be flooded. */
async function keepOpen(port: number, { wanted, seconds, first }: { wanted: number; seconds: number; first: Flood }) {
  const script = fileURLToPath(new URL('./support/flooder.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ port, from: flooder, wanted, seconds, ...first.sends })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let opened = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    opened += text
  })
  await once(child, 'close')
  return `${opened.trim()} ${first.name}`
}
