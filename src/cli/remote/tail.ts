import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '../command.ts'
import { remoteCommand } from './connect.ts'
import { failure } from './failure.ts'
import type { AppClient } from './library.ts'
import { clock, duration, look, plain } from './look.ts'

/** One line, and by what the next look knows it again. */
interface Line {
  key: string
  at: string
  value: object
  words: string
}

const sources = ['logs', 'runs'] as const
type Source = (typeof sources)[number]

const maxShops = 25

export const tailCommand = remoteCommand({
  name: 'tail',
  summary: 'Show logs and runs of shops as they come',
  arguments: [{ name: 'WHAT', description: 'logs or runs; both by default', values: sources }],
  options: {
    shop: {
      type: 'string',
      value: 'ID',
      description: `Of one shop only; needed where there are more than ${maxShops}`,
    },
    every: { type: 'string', value: 'SECONDS', description: 'How often to look; 2' },
    once: { type: 'boolean', description: 'Show what there is and end' },
  },
  async run({ shop, every = '2', once }, output, [what], connect) {
    const seconds = Number(every)
    if (!(seconds >= 1 && seconds <= 3600))
      throw failure('invalid', `--every must be from 1 to 3600 seconds, not "${every}".`)
    const client = await (await connect()).app()
    const wanted: readonly Source[] = what === undefined ? sources : [what as Source]
    const shops = await shopsOf(client, shop)
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const isNew = remember()
    for (;;) {
      const lines: Line[] = []
      for (const source of wanted)
        lines.push(...(await (source === 'logs' ? logs(client, shops) : runs(client, shops))))
      lines.sort((one, other) => one.at.localeCompare(other.at))
      for (const { key, value, words } of lines) if (isNew(key)) output.result(value, words)
      if (once || stop.signal.aborted) return
      if (lines.length === 0) waiting(output)
      await sleep(seconds * 1000, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return
    }
  },
})

const waiting = (output: Output) => output.progress('Nothing yet …')

async function shopsOf(client: AppClient, named: string | undefined): Promise<{ id: number; name: string }[]> {
  if (named !== undefined) return [await client.integrations.get(named)]
  const shops = await client.integrations.list().take(maxShops + 1)
  if (shops.length > maxShops)
    throw failure(
      'invalid',
      `There are more than ${maxShops} shops. Name one with --shop ID; "entrepot shops" lists them.`,
    )
  return shops
}

/** The newest of each shop: what was written faster than that between two looks is in the console. */
async function logs(client: AppClient, shops: readonly { id: number; name: string }[]): Promise<Line[]> {
  const found = await Promise.all(
    shops.map(({ id }) =>
      client.call('get', '/api/2.0/app/integrations/{integration}', {
        path: { integration: String(id) },
        query: { include: 'logs' } as never,
      }),
    ),
  )
  return found.flatMap(({ data }) => {
    const { name, logs: entries = [] } = data as unknown as { name: string; logs?: Entry[] }
    return entries.map((entry) => ({
      key: `log ${entry.integration_id} ${entry.id}`,
      at: entry.created_at,
      value: { kind: 'log', ...entry },
      words: `${clock(entry.created_at)}  ${look(colourOf(entry.level), entry.level.padEnd(8))} ${plain(name)}  ${plain(entry.message)}`,
    }))
  })
}

interface Entry {
  id: number
  integration_id: number
  level: string
  message: string
  created_at: string
}

const colourOf = (level: string) => (level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'dim')

/** A run is a new line each time it has come further. */
async function runs(client: AppClient, shops: readonly { id: number; name: string }[]): Promise<Line[]> {
  const found = await Promise.all(
    shops.map(async (shop) => ({
      shop,
      rows: await client.integrations.runs(shop.id, { per_page: 20 } as never).take(20),
    })),
  )
  return found.flatMap(({ shop, rows }) =>
    rows.map((run) => {
      const { done, total } = run.progress
      const at = run.finished_at ?? run.started_at ?? run.created_at
      const took =
        run.finished_at && run.started_at
          ? ` in ${duration(Date.parse(run.finished_at) - Date.parse(run.started_at))}`
          : ''
      const progress = total === null ? `${done}` : `${done} of ${total}`
      const colour = run.status === 'failed' ? 'red' : run.status === 'completed' ? 'green' : 'yellow'
      return {
        key: `run ${shop.id} ${run.id} ${run.status} ${done}`,
        at,
        value: { kind: 'run', integration_id: shop.id, ...run },
        words: `${clock(at)}  ${look(colour, run.status.padEnd(8))} ${plain(shop.name)}  ${run.resource} ${progress}${took}${run.error ? `  ${plain(run.error)}` : ''}`,
      }
    }),
  )
}

/** What was shown; the oldest is forgotten first. */
function remember(max = 20_000) {
  const seen = new Set<string>()
  return (key: string): boolean => {
    if (seen.has(key)) return false
    seen.add(key)
    const [oldest] = seen
    if (seen.size > max && oldest !== undefined) seen.delete(oldest)
    return true
  }
}
