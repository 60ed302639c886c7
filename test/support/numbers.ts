const counts = new Map<string, number>()

/**
 * The next number of a series, from 1. What hangs on it (the seed of a shop, and so the orders in it) is the same
 * whichever files ran before in this process: each begins anew.
 */
export function nextNumber(series: string): number {
  const next = (counts.get(series) ?? 0) + 1
  counts.set(series, next)
  return next
}

export const beginAnew = (): void => counts.clear()
