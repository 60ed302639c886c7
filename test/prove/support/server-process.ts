import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort, printed, startEntrepot } from '../../support/process.ts'
import type { Settings } from '../../support/program.ts'

/** `entrepot start` as a process of its own. */
export interface ServerProcess {
  url: string
  pid: number
  /** Null while it runs. */
  exitCode(): number | null
  signal(signal: NodeJS.Signals): void
  /** The exit code, once it has ended by itself or by a signal. */
  exited: Promise<number | null>
  stop(): Promise<number | null>
  /** What it printed lately. */
  printed(): string
}

export async function startServer(
  settings: Settings,
  { port, root }: { port?: number; root?: string | undefined } = {},
): Promise<ServerProcess> {
  const chosen = port ?? (await freePort())
  const env = { HOST: '127.0.0.1', PORT: String(chosen), LOG_LEVEL: 'warn', ...settings }
  const child = startEntrepot(['start', '--json'], { env, ...(root && { root }) })
  const output = keepOutput(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  await printed(child, '"role"')
  return {
    url: `http://127.0.0.1:${chosen}`,
    pid: child.pid ?? 0,
    exitCode: () => child.exitCode,
    signal: (signal) => void child.kill(signal),
    exited,
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
    printed: output,
  }
}

/** Servers for the time of `work`, stopped whatever happens to it. */
export async function withServers<T>(
  settings: readonly Settings[],
  work: (servers: ServerProcess[]) => Promise<T>,
): Promise<T> {
  const started = await Promise.allSettled(settings.map((each) => startServer(each)))
  const servers = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  try {
    for (const start of started) if (start.status === 'rejected') throw start.reason
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

function keepOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-100_000)
    })
  }
  return () => text
}
