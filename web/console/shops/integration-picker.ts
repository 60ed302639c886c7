import { html, type TemplateResult } from 'lit'
import '../../parts/combobox.ts'
import type { Option } from '../../parts/combobox.ts'
import { asApp, ask } from '../api.ts'
import { changeQuery } from '../router.ts'

export interface Choice {
  id: number
  name: string
  shop: string
  account_id: number | null
  account?: { remote_id: string } | null | undefined
}

/** The one that the address names, for pages that are about all of them otherwise. */
export const readNamed = async (app: string, query: URLSearchParams): Promise<Choice | null> =>
  query.get('integration') === null ? null : await readChosen(app, query)

/** For pages that are about one integration: the one that the address names and no other, else the first by name. */
export async function readChosen(app: string, query: URLSearchParams): Promise<Choice | null> {
  const named = query.get('integration')
  if (named === null) return (await find(app, { per_page: 1 }))[0] ?? null
  const params = { path: { integration: named }, query: { include: 'account' } as never }
  return (await ask(asApp(app).GET('/api/2.0/app/integrations/{integration}', { params }))).data
}

async function find(app: string, query: Readonly<Record<string, string | number>>): Promise<Choice[]> {
  const asked = { sort: 'name', include: 'account', ...query } as never
  return (await ask(asApp(app).GET('/api/2.0/app/integrations', { params: { query: asked } }))).data
}

const titleOf = ({ name, shop }: Choice) => `${name} (${shop})`

const search = async (app: string, text: string): Promise<Option[]> =>
  (await find(app, { per_page: 15, ...(text && { 'filter[q]': text }) })).map((one) => ({
    value: String(one.id),
    text: one.name,
    more: one.shop,
  }))

/** One of them, or all. */
export const everyShop = (app: string, chosen: Choice | null): TemplateResult => {
  const all: Option = { value: '', text: 'All shops' }
  const found = async (text: string) => [...(text === '' ? [all] : []), ...(await search(app, text))]
  return html`<ep-combobox label="Shop" .value=${chosen ? String(chosen.id) : ''} .shown=${chosen ? titleOf(chosen) : all.text} .search=${found}
    @pick=${(event: CustomEvent<string>) => changeQuery({ integration: event.detail, remote_status: null, after: null })}></ep-combobox>`
}

export const picker = (app: string, chosen: Choice): TemplateResult => {
  const found = (text: string) => search(app, text)
  return html`<ep-combobox label="Shop" .value=${String(chosen.id)} .shown=${titleOf(chosen)} .search=${found}
    @pick=${(event: CustomEvent<string>) => changeQuery({ integration: event.detail, page: null })}></ep-combobox>`
}
