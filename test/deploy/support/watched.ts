/**
 * A value that remembers which of its properties were looked at. Kubernetes' schemas let unknown fields pass; but what a
 * schema does not know, nobody asks for.
 */
export function watched(value: object): { value: object; read: ReadonlySet<string> } {
  const read = new Set<string>()
  const watch = (part: object, path: string): object =>
    new Proxy(part, {
      get(target, key, receiver) {
        const found: unknown = Reflect.get(target, key, receiver)
        if (typeof key === 'symbol') return found
        read.add(`${path}/${key}`)
        return typeof found === 'object' && found !== null ? watch(found, `${path}/${key}`) : found
      },
    })
  return { value: watch(value, ''), read }
}

/** Paths of properties that nobody has looked at. */
export function unread(value: object, read: ReadonlySet<string>, path = ''): string[] {
  return Object.entries(value).flatMap(([key, part]) => {
    const here = `${path}/${key}`
    if (!read.has(here)) return [here]
    return typeof part === 'object' && part !== null ? unread(part, read, here) : []
  })
}
