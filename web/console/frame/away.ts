import { readEntries } from '../../components/log-entries.ts'
import { asAccount } from '../api.ts'

export type LogEntry = Awaited<ReturnType<typeof readLog>>[number]

/** What a run has written down, newest first. Nothing where nobody's shop it is: logs are read in the name of an account. */
export async function readLog(
  app: string,
  account: number | null,
  { integration, run }: { integration: string; run: number },
) {
  if (account === null) return []
  const filter = { level: '', text: '', runId: run }
  return (await readEntries(asAccount(app, account), integration, filter, 1)).data
}

/** What an open run waits for: the last thing it has said is that the shop is away. */
export function awayOf(run: { status: string }, log: readonly LogEntry[]): LogEntry | null {
  const [last] = log
  const open = run.status === 'running' || run.status === 'queued'
  return open && last?.event === 'run.waiting' ? last : null
}
