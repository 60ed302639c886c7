import type { Sighting, ToldValue } from './passport-store.ts'

/** What a shop had been told, and what it was known to show, from a moment on. Null where that is not known. */
export interface Moment {
  at: string
  told: number | null
  shows: number | null
  /** What was made of a difference that no order explained. */
  drift: Sighting['resolution']
}

/**
 * What a shop was told and what it showed over time, oldest first: the newest moments at which one of both changed. What it refused it was not told; what it shows is
 * known when it is told something, when it has confirmed, and when it was seen to show something else.
 */
export function historyOf(tellings: readonly ToldValue[], sightings: readonly Sighting[], limit: number): Moment[] {
  const news = [
    ...tellings.flatMap(({ quantity, was, sent_at: sent, accepted_at: accepted, confirmed_at: confirmed, error }) => [
      {
        at: sent,
        ...(was !== null && { shows: was }),
        ...((accepted !== null || error === null) && { told: quantity }),
      },
      ...(confirmed === null ? [] : [{ at: confirmed, shows: quantity }]),
    ]),
    ...sightings.map(({ at, found, resolution }) => ({ at, shows: found, drift: resolution })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const moments: Moment[] = []
  for (const { at, ...one } of news) {
    const before = moments.at(-1)
    const next: Moment = { told: before?.told ?? null, shows: before?.shows ?? null, drift: null, ...one, at }
    if (before && next.told === before.told && next.shows === before.shows && next.drift === null) continue
    if (before?.at === at) moments[moments.length - 1] = { ...next, drift: next.drift ?? before.drift }
    else moments.push(next)
  }
  return moments.slice(-limit)
}
