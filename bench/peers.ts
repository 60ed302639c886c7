import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Answering, inTurns } from './peers/closed-loop.ts'
import { directus } from './peers/directus.ts'
import { installedVersion } from './peers/installed.ts'
import { medusa } from './peers/medusa.ts'
import { startOurs } from './peers/ours.ts'
import type { Peer, Way } from './peers/peer.ts'
import type { Beside } from './peers/row.ts'
import { vendure } from './peers/vendure.ts'

export const peers: readonly Peer[] = [directus, vendure, medusa]

interface Options {
  databaseUrl: string
  /** Makes a database on the same server. */
  makeDatabase(name: string): Promise<string>
  orders: number
  rounds: number
  seconds: number
  connections: number
  progress(text: string): void
}

const perPage = 15

/** Services that others use as ours is used, each as its own guide says, on the same PostgreSQL with as many orders. */
export async function measurePeers(options: Options): Promise<Beside[]> {
  const { databaseUrl, orders, progress } = options
  const found: { peer: Peer; version: string }[] = []
  for (const peer of peers) {
    const installed = await installedVersion(peer)
    if ('missing' in installed) progress(installed.missing)
    else found.push({ peer, version: installed.version })
  }
  if (found.length === 0) return []
  const ours = await startOurs({ databaseUrl, orders, perPage })
  const results: Beside[] = []
  try {
    for (const { peer, version } of found) {
      const folder = await mkdtemp(join(tmpdir(), 'entrepot-bench-peer-'))
      const place = { databaseUrl: await options.makeDatabase(`peer_${peer.folder}`), folder, orders, perPage }
      const client = new pg.Client({ connectionString: place.databaseUrl })
      await client.connect()
      progress(`${peer.name} ${version} is made ready`)
      try {
        const running = await peer.start({ ...place, client, order: ours.order })
        try {
          for (const way of running.ways) {
            await expectAnswer(ours.ways[way.work])
            await expectAnswer(way)
            progress(`${peer.name}: ${way.work}${way.by ? ` (${way.by})` : ''}`)
            const turns = await inTurns(ours.ways[way.work], way, options)
            results.push({ peer: peer.name, version, way, turns })
          }
        } finally {
          await running.stop()
        }
      } finally {
        await client.end()
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await ours.stop()
  }
  return results
}

/** That it does what it is measured for. */
async function expectAnswer(way: Answering & Pick<Way, 'holds'>): Promise<void> {
  const { path, body, headers } = way.next?.() ?? {}
  const answer = await fetch(new URL(path ?? way.url, way.url), {
    headers: { ...way.headers, ...headers },
    ...(body !== undefined && { method: 'POST', body }),
  })
  const text = await answer.text()
  if (answer.ok && !text.includes('"errors":') && way.holds(JSON.parse(text === '' ? 'null' : text))) return
  throw new Error(`${way.url} answers something else: ${answer.status} ${text.slice(0, 2000)}`)
}
