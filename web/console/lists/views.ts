import { html, nothing, type TemplateResult } from 'lit'
import '../../parts/menu.ts'
import '../../parts/dialog.ts'
import type { paths } from '../../lib/api-types.gen.ts'
import { icon } from '../../parts/icons.ts'
import { api, ask } from '../api.ts'

/** Lists as somebody likes to see them: kept by the service, so that they are there wherever the person signs in. */

export type View =
  paths['/api/2.0/user/apps/{appId}/views']['get']['responses'][200]['content']['application/json']['data'][number]

export interface Looks {
  filters: readonly { name: string; value: string }[]
  columns: readonly string[] | null
}

const inOrder = ({ filters, columns }: Looks) =>
  JSON.stringify([filters.map(({ name, value }) => `${name}=${value}`).toSorted(), columns?.toSorted() ?? null])

export const looksLike = (one: Looks, other: Looks): boolean => inOrder(one) === inOrder(other)

export async function readViews(app: string, list: string): Promise<readonly View[]> {
  const query = { 'filter[list]': list, sort: 'name', per_page: 100 } as never
  return (await ask(api.GET('/api/2.0/user/apps/{appId}/views', { params: { path: { appId: app }, query } }))).data
}

/** Under a name that is there already it takes the place of what was there. */
export async function saveView(app: string, list: View['list'], name: string, looks: Looks): Promise<void> {
  const body = { name, filters: [...looks.filters], columns: looks.columns === null ? null : [...looks.columns] }
  const known = (await readViews(app, list)).find((view) => view.name === name)
  await (known
    ? ask(
        api.PUT('/api/2.0/user/apps/{appId}/views/{view}', {
          params: { path: { appId: app, view: String(known.id) } },
          body,
        }),
      )
    : ask(api.POST('/api/2.0/user/apps/{appId}/views', { params: { path: { appId: app } }, body: { list, ...body } })))
}

export const deleteView = (app: string, id: number) =>
  ask(api.DELETE('/api/2.0/user/apps/{appId}/views/{view}', { params: { path: { appId: app, view: String(id) } } }))

export const viewMenu = (options: {
  views: readonly View[]
  now: Looks
  addressOf: (view: View) => string
  onOpen: (view: View) => void
  onSave: () => void
  onDelete: (view: View) => void
}): TemplateResult => {
  const { views, now, addressOf, onOpen, onSave, onDelete } = options
  const current = views.find((view) => looksLike(view, now))
  return html`<ep-menu label=${current?.name ?? 'Views'} icon="list">
    ${
      views.length === 0
        ? html`<p class="muted small">A view keeps filters and columns under a name. You have none of this list yet.</p>`
        : views.map(
            (view) => html`<div class="row view">
              <a href=${addressOf(view)} aria-current=${view === current ? 'true' : nothing} @click=${() => onOpen(view)}>${view.name}</a>
              <button class="quiet" title="Delete this view" aria-label="Delete the view “${view.name}”" @click=${() => onDelete(view)}>${icon('trash')}</button>
            </div>`,
          )
    }
    <button @click=${onSave}>${icon('plus')}Save this view</button>
  </ep-menu>`
}
