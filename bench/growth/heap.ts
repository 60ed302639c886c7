/** The smallest comes first; those that are equal in no order. */
export function createHeap<T extends object>(compare: (a: T, b: T) => number) {
  const all: T[] = []
  const isLess = (a: number, b: number): boolean => {
    const [one, other] = [all[a], all[b]]
    return one !== undefined && other !== undefined && compare(one, other) < 0
  }
  const swap = (a: number, b: number): void => {
    const [one, other] = [all[a], all[b]]
    if (!one || !other) return
    all[a] = other
    all[b] = one
  }
  return {
    get size() {
      return all.length
    },
    peek: (): T | undefined => all[0],
    push(one: T): void {
      all.push(one)
      for (let at = all.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!isLess(at, above)) return
        swap(at, above)
        at = above
      }
    },
    pop(): T | undefined {
      swap(0, all.length - 1)
      const first = all.pop()
      for (let at = 0; ; ) {
        const least = [2 * at + 1, 2 * at + 2].reduce((best, below) => (isLess(below, best) ? below : best), at)
        if (least === at) return first
        swap(at, least)
        at = least
      }
    },
  }
}
