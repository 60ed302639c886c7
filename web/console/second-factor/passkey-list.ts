import { html, nothing, type TemplateResult } from 'lit'
import '../../parts/dialog.ts'
import { define, emit } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { empty, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { api, ask } from '../api.ts'
import { formDialog, secretDialog } from '../ask-form.ts'
import { errorOf, field, valuesOf } from '../form.ts'
import { Page } from '../page.ts'
import { codeField, enrolmentLook, recoveryCodes } from './enrolment.ts'
import { addPasskey, passkeysWork } from './passkeys.ts'

type Data = Awaited<ReturnType<typeof read>>
type Passkey = Data[number]
type Asking = { about: 'add' } | { about: 'rename' | 'remove'; passkey: Passkey } | null

/** Passkeys of one's own: they sign in by themselves, and stand for the second factor. */
class PasskeyList extends Page<Data> {
  static override properties = {
    ...Page.properties,
    asking: { state: true },
    codes: { state: true },
    refusal: { state: true },
  }
  declare asking: Asking
  declare codes: readonly string[]
  declare refusal: unknown

  constructor() {
    super()
    this.asking = null
    this.codes = []
    this.refusal = null
  }

  override load() {
    return read()
  }

  async #act(work: () => Promise<unknown>) {
    this.refusal = null
    try {
      await work()
      this.asking = null
      await this.reload()
      emit(this, 'passkeys-changed', null)
    } catch (error) {
      this.refusal = error
    }
  }

  #open = (asking: Asking) => () => {
    this.refusal = null
    this.asking = asking
  }

  #add = (form: HTMLFormElement) =>
    this.#act(async () => {
      const added = await addPasskey(passwordIn(form), valuesOf(form)['name'] ?? '')
      this.codes = added.recovery_codes ?? []
      toast('The passkey signs you in from now on.')
    })

  #rename = (passkey: Passkey) => (form: HTMLFormElement) =>
    this.#act(() => {
      const body = { name: valuesOf(form)['name'] ?? '' }
      return ask(api.PUT('/api/2.0/user/passkeys/{passkey}', { params: pathOf(passkey), body }))
    })

  #remove = (passkey: Passkey) => (form: HTMLFormElement) =>
    this.#act(() => {
      const body = { current_password: passwordIn(form), code: valuesOf(form)['code'] ?? '' }
      return ask(api.POST('/api/2.0/user/passkeys/{passkey}/remove', { params: pathOf(passkey), body }))
    })

  override show(passkeys: Data): TemplateResult {
    const works = passkeysWork()
    return html`<section class="card stack">
      <div class="bar"><h3>Passkeys</h3>
        ${works ? html`<button @click=${this.#open({ about: 'add' })}>${icon('plus')}Add a passkey</button>` : nothing}</div>
      <p>A passkey signs you in with a fingerprint, face or PIN, without a password or a code. It also replaces the code when you sign in with your password.</p>
      ${works ? nothing : html`<p class="muted small">Passkeys are not available here: they need HTTPS and a host name.</p>`}
      ${this.refusal && this.asking === null ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Passkeys',
        rows: passkeys,
        empty: empty('No passkeys', 'Add one on each device that you sign in with.'),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Added', cell: ({ created_at: at }) => time(at), wide: true },
          { head: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Not yet' : time(at)) },
          {
            head: 'Actions',
            actions: true,
            cell: (passkey) => html`<div class="row">
              <button @click=${this.#open({ about: 'rename', passkey })}>Rename</button>
              <button @click=${this.#open({ about: 'remove', passkey })}>Remove</button></div>`,
          },
        ],
      })}</section>${this.#dialog()}`
  }

  #dialog(): TemplateResult {
    const { asking, refusal: failure } = this
    const common = { failure, open: true, onClose: this.#open(null) }
    const general = errorOf(failure, 'passkey') ?? errorOf(failure, 'second_factor')
    const said = general ? html`<p class="field-error" role="alert">${general}</p>` : nothing
    const password = field({
      name: 'current_password',
      label: 'Your password',
      type: 'password',
      autocomplete: 'current-password',
      failure,
    })
    if (asking?.about === 'add') {
      const help = 'Where it is kept: “Laptop”, “Key ring”.'
      const fields = html`${said}${field({ name: 'name', label: 'Name', failure, help })}${password}`
      return formDialog({ ...common, heading: 'Add a passkey', fields, action: 'Add', onSubmit: this.#add })
    }
    if (asking?.about === 'rename') {
      const fields = field({ name: 'name', label: 'Name', value: asking.passkey.name, failure })
      const onSubmit = this.#rename(asking.passkey)
      return formDialog({ ...common, heading: 'Rename the passkey', fields, action: 'Save', onSubmit })
    }
    if (asking?.about === 'remove') {
      const fields = html`${said}${password}${codeField(failure, 'From your authenticator app, or a recovery code.')}`
      const onSubmit = this.#remove(asking.passkey)
      return formDialog({ ...common, heading: `Remove “${asking.passkey.name}”`, fields, action: 'Remove', onSubmit })
    }
    return secretDialog('Recovery codes', recoveryCodes(this.codes), this.codes.length > 0, () => {
      this.codes = []
    })
  }

  static override styles = [...Page.styles, ...enrolmentLook]
}
define('ep-passkey-list', PasskeyList)

async function read() {
  return (await ask(api.GET('/api/2.0/user/passkeys'))).data
}

const pathOf = ({ id }: Passkey) => ({ path: { passkey: String(id) } })

/** As it is: spaces belong to a password. */
const passwordIn = (form: HTMLFormElement): string => String(new FormData(form).get('current_password') ?? '')
