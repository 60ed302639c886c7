import { readdir, readFile } from 'node:fs/promises'

/** What a stretch of work has cost so far: milliseconds of processor time, pages of the database touched, bytes of its log. */
export interface Cost {
  api: number
  worker: number
  postgres: number
  pages: number
  wal: number
}

type Query = <Row extends object>(text: string) => Promise<Row[]>

/** Reads the meters of two processes of ours and of the PostgreSQL that `query` reaches, which must be on this machine. */
export async function openMeters(pids: { api: number; worker: number }, query: Query): Promise<() => Promise<Reading>> {
  const [backend] = await query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = (await statOf(backend?.pid ?? 0)).parent
  return async () => {
    const [api, worker, postgres] = await Promise.all([cpuOf(pids.api), cpuOf(pids.worker), cpuOfFamily(postmaster)])
    const [stored] = await query<{ pages: string; wal: string }>(
      `select blks_hit + blks_read as pages, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal
      from pg_stat_database where datname = current_database()`,
    )
    const at = performance.now()
    return { api, worker, postgres, pages: Number(stored?.pages ?? 0), wal: Number(stored?.wal ?? 0), at }
  }
}

/** A look at the meters, and when. */
export interface Reading extends Cost {
  at: number
}

/** What was spent between two readings, for one of so many records; what would have been spent at rest is nobody's. */
export function between(
  before: Reading,
  after: Reading,
  { records, rest = { api: 0, worker: 0, postgres: 0, pages: 0, wal: 0 } }: { records: number; rest?: Cost },
): Cost {
  const each = (name: keyof Cost) =>
    Math.max(0, after[name] - before[name] - rest[name] * (after.at - before.at)) / records
  return {
    api: each('api'),
    worker: each('worker'),
    postgres: each('postgres'),
    pages: each('pages'),
    wal: each('wal'),
  }
}

/** Linux counts in hundredths of a second, whatever its own clock. */
const msPerTick = 10

const cpuOf = async (pid: number): Promise<number> => (await statOf(pid)).ms

/** Those that have ended are counted by whoever started them. */
async function cpuOfFamily(parent: number): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(all.map((pid) => statOf(pid).catch(() => null)))
  const children = stats.flatMap((stat) => (stat?.parent === parent ? [stat.ms] : []))
  return children.reduce((sum, ms) => sum + ms, (await statOf(parent)).withEnded)
}

async function statOf(pid: number): Promise<{ parent: number; ms: number; withEnded: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold anything; after it come the state and then numbers.
  const [, parent, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9)
  const ms = (user + system) * msPerTick
  return { parent: parent ?? 0, ms, withEnded: ms + (endedUser + endedSystem) * msPerTick }
}
