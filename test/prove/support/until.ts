import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until there is something; says what it waited for in vain. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  { seconds = 180, everyMs = 50 }: { seconds?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const found = await ask()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`Waited ${seconds} s in vain: ${what}.`)
    await sleep(everyMs)
  }
}

/** The value that so large a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
