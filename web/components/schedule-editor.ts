import { css, html, nothing, type TemplateResult } from 'lit'
import { errorsIn } from '../parts/refusal-words.ts'
import '../parts/dialog.ts'
import { problem } from '../parts/problem.ts'
import { cronOf, nextRuns, type Plan, planKinds } from './cron.ts'
import { planFields } from './plan-fields.ts'
import type { Words } from './words/index.ts'

/** A schedule that is being made or changed. */
export interface Draft {
  id: number | null
  resource: string
  plan: Plan
  timezone: string
  active: boolean
}

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
const zones = Intl.supportedValuesOf('timeZone')

interface Editor {
  words: Words
  language: string
  actions: readonly string[]
  /** Why the last try was refused. */
  refusal: unknown
  onChange: (draft: Draft) => void
  onSave: () => void
  onClose: () => void
}

const chosen = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

/** The dialog in which a plan is chosen in words, with the next runs below it. */
export function scheduleEditor(draft: Draft, editor: Editor): TemplateResult {
  const { words, language, refusal, onClose } = editor
  const { schedules, close, cancel } = words
  const errors = errorsIn(refusal, words)
  const change = (changes: Partial<Draft>) => editor.onChange({ ...draft, ...changes })
  const save = (event: Event) => {
    event.preventDefault()
    editor.onSave()
  }
  return html`<ep-dialog open heading=${draft.id === null ? schedules.add : schedules.change} .closeLabel=${close} @close=${onClose}>
    <form id="editor" class="stack" @submit=${save}>
      ${refusal && Object.keys(errors).length === 0 ? problem(refusal, { words }) : nothing}
      <div class="field">
        <label for="resource">${schedules.what}</label>
        <select id="resource" @change=${(event: Event) => change({ resource: chosen(event) })}>
          ${editor.actions.map((name) => html`<option value=${name} .selected=${name === draft.resource}>${schedules.actions[name]}</option>`)}
        </select>
        ${errors['resource'] ? html`<span class="field-error">${errors['resource'][0]}</span>` : nothing}
      </div>
      <div class="field">
        <label for="kind">${schedules.when}</label>
        <select id="kind" @change=${(event: Event) => change({ plan: startOf(chosen(event), draft.plan) })}>
          ${planKinds.map((kind) => html`<option value=${kind} .selected=${kind === draft.plan.kind}>${schedules.kinds[kind]}</option>`)}
        </select>
      </div>
      ${planFields(draft.plan, { words, language, onChange: (plan) => change({ plan }) })}
      ${errors['cron'] ? html`<span class="field-error" role="alert">${errors['cron'][0]}</span>` : nothing}
      <div class="field">
        <label for="timezone">${schedules.timezone}</label>
        <select id="timezone" @change=${(event: Event) => change({ timezone: chosen(event) })}>
          ${[...new Set([draft.timezone, 'UTC', ...zones])].map((zone) => html`<option value=${zone} .selected=${zone === draft.timezone}>${zone}</option>`)}
        </select>
      </div>
      <label class="row"><input type="checkbox" .checked=${draft.active} @change=${(event: Event) => change({ active: (event.target as HTMLInputElement).checked })} />${schedules.active}</label>
      ${preview(draft, editor)}
    </form>
    <button slot="actions" @click=${onClose}>${cancel}</button>
    <button slot="actions" class="primary" type="submit" form="editor" @click=${submitForm}>${schedules.save}</button>
  </ep-dialog>`
}

/** The button stands in the dialog's foot, outside of the form. */
function submitForm(event: Event): void {
  event.preventDefault()
  const dialog = (event.target as HTMLElement).closest('ep-dialog')
  dialog?.querySelector<HTMLFormElement>('#editor')?.requestSubmit()
}

function preview({ plan, timezone }: Draft, { words: { schedules }, language }: Editor): TemplateResult {
  const runs = nextRuns(cronOf(plan), timezone, 5)
  if (!runs) return html`<p class="field-error" role="alert">${schedules.cronWrong}</p>`
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: timezone })
  return html`<div class="preview" aria-live="polite">
    <h2 class="title">${schedules.next}</h2>
    <ol>${runs.map((run) => html`<li><time datetime=${run.toISOString()}>${format.format(run)}</time></li>`)}</ol>
  </div>`
}

/** Whoever changes the kind keeps the time of the day. */
function startOf(kind: string, before: Plan): Plan {
  const hour = 'hour' in before ? before.hour : 6
  const minute = 'minute' in before ? before.minute : 0
  switch (kind) {
    case 'minutes':
      return { kind, every: 15 }
    case 'hours':
      return { kind, every: 1, minute }
    case 'days':
      return { kind, hour, minute }
    case 'weeks':
      return { kind, days: [1, 2, 3, 4, 5], hour, minute }
    case 'months':
      return { kind, day: 1, hour, minute }
    default:
      return { kind: 'custom', cron: cronOf(before) }
  }
}

export const editorStyles = css`
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(120px, 1fr));
    gap: 12px;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .preview {
    padding: 12px 16px;
    border-radius: var(--_radius);
    background: var(--_sunken);
  }
  .preview ol {
    margin: 4px 0 0;
    padding-inline-start: 20px;
  }
`
