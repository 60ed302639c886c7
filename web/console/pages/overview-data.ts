import { api, ask } from '../api.ts'

/** What the first page shows, asked for before anything else is loaded: nothing here needs more than the way to the service. */

export const ranges = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const
export type RangeName = keyof typeof ranges
const isRange = (text: string | null): text is RangeName => text !== null && text in ranges

export function rangeOf(query: URLSearchParams): RangeName {
  const asked = query.get('range')
  return isRange(asked) ? asked : '24h'
}

export const readApps = async () =>
  (await ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } }))).data

let expectedList: ReturnType<typeof readApps> | null = null

/** The list that the first page was begun with: the frame wants the same one at the same moment, once. */
export function expectedApps(): ReturnType<typeof readApps> | null {
  const begun = expectedList
  expectedList = null
  return begun
}

let expected: { range: RangeName; read: ReturnType<typeof readOverview> } | null = null

/** Whoever was signed in most likely still is: what the page shows is on its way before that is known. */
export function expectOverview(query: URLSearchParams): void {
  const range = rangeOf(query)
  expectedList = readApps()
  expected = { range, read: readOverview(range, expectedList) }
  // Whoever is not signed in any more never looks at it.
  expected.read.catch(() => undefined)
}

/** What was begun for this range, once. */
export function expectedOverview(range: RangeName): ReturnType<typeof readOverview> | null {
  const begun = expected
  expected = null
  return begun?.range === range ? begun.read : null
}

export async function readOverview(range: RangeName, list = readApps()) {
  const wanted = localStorage.getItem('entrepot.app')
  // Most likely it is still that one: both are on their way at the same time. Whatever is wrong with it shows below.
  const expected = wanted === null ? null : readFacts(wanted, range).catch(() => null)
  const apps = await list
  const app = apps.find(({ id }) => String(id) === wanted) ?? apps[0]
  if (!app) return null
  localStorage.setItem('entrepot.app', String(app.id))
  const known = String(app.id) === wanted ? await expected : null
  return { app, overview: known ?? (await readFacts(String(app.id), range)) }
}

async function readFacts(appId: string, range: RangeName) {
  const query = { range, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  return (await ask(api.GET('/api/2.0/user/apps/{appId}/overview', { params: { path: { appId }, query } }))).data
}
