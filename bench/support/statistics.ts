export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** "0.81–0.95": the lowest and the highest. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`

/** The median of each so many, in their order: what is kept of a thousand short rounds. */
export const medians = (values: readonly number[], size: number): number[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => median(values.slice(n * size, (n + 1) * size)))
