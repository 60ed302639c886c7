import { html, type TemplateResult } from 'lit'
import { empty } from '../../parts/table.ts'
import { href } from '../router.ts'

/** What pages about integrations say while there are none. */
export const noIntegrations = (app: string): TemplateResult =>
  empty(
    'No shops are connected yet',
    'What happens in connected shops is shown here.',
    html`<a class="button primary" href=${href(`/apps/${app}/connect`)}>Connect a shop</a>`,
  )

/** What a list over all shops says while none of them has anything for it. */
export const nothingYet = (app: string, title: string, text: string): TemplateResult =>
  empty(title, text, html`<a class="button" href=${href(`/apps/${app}/integrations`)}>Look at the shops</a>`)
