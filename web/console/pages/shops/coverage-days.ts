/** What one comparison of our copy with the shop has found. */
export interface Comparison {
  at: string
  compared: number
  missing: number
  stale: number
  healed: number
}

const dayMs = 86_400_000
const mostDays = 30

const dayOf = (at: string) => Math.floor(Date.parse(at) / dayMs)

/** Day by day from the first that there is, thirty at most; a day without a comparison has none of anything. */
export function byDay(comparisons: readonly Comparison[], now = Date.now()) {
  const today = Math.floor(now / dayMs)
  const first = Math.max(today - mostDays + 1, Math.min(today, ...comparisons.map(({ at }) => dayOf(at))))
  const days = Array.from({ length: today - first + 1 }, (_, n) => first + n)
  const sum = (day: number, name: Exclude<keyof Comparison, 'at'>) =>
    comparisons.filter(({ at }) => dayOf(at) === day).reduce((total, one) => total + one[name], 0)
  return {
    steps: days.map((day) => new Date(day * dayMs).toISOString()),
    compared: days.map((day) => sum(day, 'compared')),
    missing: days.map((day) => sum(day, 'missing')),
    stale: days.map((day) => sum(day, 'stale')),
    healed: days.map((day) => sum(day, 'healed')),
  }
}
