import { html, nothing, type TemplateResult } from 'lit'
import { copyText } from '../parts/copy.ts'
import type { Dialog } from '../parts/dialog.ts'
import { problem } from '../parts/problem.ts'
import { toast } from '../parts/toast.ts'
import { isGeneral } from './form.ts'

/** A form in a dialog. The button in the foot sends it; what is refused stays in it, with the reason at its field. */
export interface FormDialog {
  heading: string
  open: boolean
  failure: unknown
  fields: TemplateResult
  action: string
  /** Until it ends the form is not sent again: whoever presses twice, or Enter and the button, asks once. */
  onSubmit: (form: HTMLFormElement) => Promise<unknown>
  onClose: () => void
}

/** What is being sent, and which time its dialog was open: closed and opened again it asks for something else. */
const sending = new WeakMap<HTMLFormElement, number>()

async function send(form: HTMLFormElement, { onSubmit }: FormDialog): Promise<void> {
  const { asked = 0 } = form.closest<Dialog>('ep-dialog') ?? {}
  if (sending.get(form) === asked) return
  sending.set(form, asked)
  try {
    await onSubmit(form)
  } finally {
    if (sending.get(form) === asked) sending.delete(form)
  }
}

export const formDialog = (dialog: FormDialog): TemplateResult =>
  html`<ep-dialog heading=${dialog.heading} ?open=${dialog.open} @close=${dialog.onClose}>
    <form class="stack" @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      void send(event.target as HTMLFormElement, dialog)
    }}>
      ${isGeneral(dialog.failure) ? problem(dialog.failure) : nothing}${dialog.fields}
      <button class="visually-hidden" tabindex="-1" aria-hidden="true"></button>
    </form>
    <button slot="actions" class="primary" @click=${(event: Event) => {
      const host = (event.target as HTMLElement).closest('ep-dialog')
      host?.querySelector('form')?.requestSubmit()
    }}>${dialog.action}</button>
  </ep-dialog>`

/** A secret that is shown now and never again. Where it is one text, a single press copies it and closes. */
export const secretDialog = (
  heading: string,
  content: TemplateResult,
  open: boolean,
  onClose: () => void,
  text: string | null = null,
): TemplateResult =>
  html`<ep-dialog firm heading=${heading} ?open=${open} @close=${onClose}>
    <div class="stack"><p>Copy it now: it is shown only this once.</p>${content}</div>
    <button slot="actions" class=${text === null ? 'primary' : ''} @click=${onClose}>I have copied it</button>
    ${text === null ? nothing : html`<button slot="actions" class="primary" autofocus @click=${() => void copyAndClose(text, onClose)}>Copy and close</button>`}
  </ep-dialog>`

/** What could not be copied stays in sight. */
async function copyAndClose(text: string, onClose: () => void): Promise<void> {
  try {
    await copyText(text)
    toast('It is in the clipboard.')
    onClose()
  } catch {
    toast('The browser does not let us copy. Select the text instead.', 'critical')
  }
}
