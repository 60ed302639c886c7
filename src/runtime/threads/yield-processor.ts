import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const lower = 5

/** Lets other threads of the process go first where they want the processor as well. Where that cannot be said, all are alike. */
export function yieldProcessor(): void {
  try {
    // Linux knows a thread by a number of its own.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), lower)
  } catch {}
}
