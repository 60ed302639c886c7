import { html, type TemplateResult } from 'lit'
import { asApp, ask } from './api.ts'
import { changeQuery } from './router.ts'

export interface Choice {
  id: number
  name: string
  shop: string
}

/** The integrations of an app, for pages that are about one of them at a time. */
export async function readChoices(app: string): Promise<Choice[]> {
  const query = { per_page: 100, sort: 'name' } as const
  const { data } = await ask(asApp(app).GET('/api/2.0/app/integrations', { params: { query } }))
  return data
}

/** The one that the address names, else the first. */
export const chosenOf = (choices: readonly Choice[], query: URLSearchParams): Choice | undefined =>
  choices.find(({ id }) => String(id) === query.get('integration')) ?? choices[0]

export const picker = (choices: readonly Choice[], chosen: Choice): TemplateResult =>
  html`<label class="row">Integration
    <select @change=${(event: Event) => changeQuery({ integration: (event.target as HTMLSelectElement).value, page: null })}>
      ${choices.map(({ id, name, shop }) => html`<option value=${id} .selected=${id === chosen.id}>${name} (${shop})</option>`)}
    </select>
  </label>`
