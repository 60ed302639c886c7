/** One of the shops among which the last pieces are dealt out. */
export interface Hand {
  id: number
  /** What it could show by its own rule if it had all of them. */
  most: number
  /** Its part, against those of the others. */
  weight: number
  /** What it offers, as far as anybody knows, or is being told to. */
  offers: number
  /** What it may be showing at this moment; null where nobody knows. */
  exposed: number | null
}

/**
 * The last pieces, each of them offered in one shop only: then no two buyers can get the same one, however late shops learn of each other. By weight, one after the
 * other; a piece stays where it is unless that would leave one shop two ahead of another. A shop gets more only when the others are known to
 * show no more than they should: until then a piece that changes shops is offered in neither.
 */
export function deal(available: number, hands: readonly Hand[]): Map<number, number> {
  const dealt = new Map(hands.map(({ id }) => [id, 0]))
  for (let piece = 0; piece < available; piece++) {
    const open = hands.filter(({ id, most, weight }) => (dealt.get(id) ?? 0) < most && weight > 0)
    const [next] = open.sort(
      (a, b) => after(dealt, a) - after(dealt, b) || Number(keeps(dealt, b)) - Number(keeps(dealt, a)),
    )
    if (!next) break
    dealt.set(next.id, (dealt.get(next.id) ?? 0) + 1)
  }
  let free = available - hands.reduce((sum, { exposed }) => sum + (exposed ?? available), 0)
  for (const { id, offers } of hands) {
    const more = (dealt.get(id) ?? 0) - offers
    if (more <= 0) continue
    const given = Math.max(0, Math.min(more, free))
    free -= given
    dealt.set(id, offers + given)
  }
  return dealt
}

const after = (dealt: ReadonlyMap<number, number>, { id, weight }: Hand): number => ((dealt.get(id) ?? 0) + 1) / weight

const keeps = (dealt: ReadonlyMap<number, number>, { id, offers }: Hand): boolean => offers > (dealt.get(id) ?? 0)
