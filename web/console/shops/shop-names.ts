import { asApp, ask } from '../api.ts'

export type ShopNames = (id: number) => string

/** What a merchant's shops are called, by their number: as many as a pool may have. */
export async function readShops(app: string, accountId: number): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>()
  for (let page = 1; page <= 2; page++) {
    const query = { 'filter[account_id]': accountId, per_page: 100, page } as never
    const { data, meta } = await ask(asApp(app).GET('/api/2.0/app/integrations', { params: { query } }))
    for (const { id, name } of data) names.set(id, name)
    if (page >= meta.last_page) break
  }
  return names
}

/** One that is not among them is called by its number. */
export const nameOf =
  (names: ReadonlyMap<number, string>): ShopNames =>
  (id) =>
    names.get(id) ?? `Shop ${id}`
