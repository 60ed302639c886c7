import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const lower = 5

/** Lets other threads of the process go first where they want the processor as well. Where that cannot be said, all are alike. */
export function yieldProcessor(): void {
  try {
    // Linux knows a thread by a number of its own.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), lower)
  } catch {}
}

/** The same of the process of a PostgreSQL on this machine that works for the connection from our `port`. Who may not say so, leaves it. */
export function yieldBackend(pid: number, port: number | undefined): void {
  try {
    // Of a PostgreSQL elsewhere, or past a pooler, the number is that of some other process here. What it is called says whom it serves.
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (port !== undefined && title.startsWith('postgres: ') && title.includes(`(${port})`)) setPriority(pid, lower)
  } catch {}
}
