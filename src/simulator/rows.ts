/** Lists that are short enough to be looked through. */

/** Numbers by size, everything else by its text. */
export const compare = (held: unknown, value: unknown): number => {
  const [x, y] = typeof held === 'number' ? [held, Number(value)] : [String(held), String(value)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** By the first field that differs. */
export const sortedBy = <T>(
  rows: readonly T[],
  names: readonly string[],
  held: (row: T, name: string) => unknown,
): readonly T[] =>
  rows.toSorted((a, b) => names.map((name) => compare(held(a, name), held(b, name))).find((order) => order !== 0) ?? 0)
