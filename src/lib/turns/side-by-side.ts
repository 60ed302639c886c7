/** The work on each, so many at a time: one that takes long does not keep the others waiting. */
export async function sideBySide<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  const lane = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane))
}
