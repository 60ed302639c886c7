interface Doing {
  work(ids: readonly number[]): Promise<void>
  putOff(id: number, error: unknown): Promise<void>
}

/** All of them at once; if that fails, each by itself, and those that fail again are put off: the others do not wait for them. */
export async function allOrEach(ids: readonly number[], { work, putOff }: Doing): Promise<void> {
  try {
    await work(ids)
  } catch (error) {
    const [only, ...others] = ids
    if (only === undefined) throw error
    if (others.length === 0) return await putOff(only, error)
    for (const id of ids) await allOrEach([id], { work, putOff })
  }
}
