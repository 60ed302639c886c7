import { html, type TemplateResult } from 'lit'
import { withQuery } from './router.ts'

/** The way out of a filter that has found nothing. */
export const showAll = (changes: Readonly<Record<string, string | null>>): TemplateResult =>
  html`<a class="button" href=${withQuery(changes)}>Show all</a>`
