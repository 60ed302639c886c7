import { css, html, nothing, type TemplateResult } from 'lit'
import { logoUpload } from '../../../lib/logo-upload.ts'
import { copy } from '../../../parts/copy.ts'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { errorOf, isGeneral } from '../../form.ts'
import { Page } from '../../page.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** Where a picker begins: the colour of our own buttons. */
const neutral = '#16181d'

/** What merchants know an app by, on the pages of ours that they see. */
class Branding extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true }, chosen: { state: true } }
  declare refusal: unknown
  /** A colour that is looked at and not saved yet. */
  declare chosen: string | null

  constructor() {
    super()
    this.refusal = null
    this.chosen = null
  }

  override load() {
    return read(this.params['app'] ?? '')
  }

  get #path() {
    return { params: { path: { appId: this.params['app'] ?? '' } } }
  }

  async #act(work: () => Promise<unknown>, said: string) {
    this.refusal = null
    try {
      await work()
      this.chosen = null
      toast(said)
      emit(this, 'apps-changed', null)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #upload = (event: Event) => {
    const input = event.target as HTMLInputElement
    const [file] = input.files ?? []
    if (!file) return
    // Whoever chooses the same file again wants it again.
    input.value = ''
    void this.#act(
      () =>
        ask(
          api.POST('/api/2.0/user/apps/{appId}/logo', {
            ...this.#path,
            ...logoUpload(file),
          }),
        ),
      'The logo has been saved.',
    )
  }

  #removeLogo = () =>
    this.#act(() => ask(api.DELETE('/api/2.0/user/apps/{appId}/logo', this.#path)), 'The logo has been removed.')

  #saveAccent = (accent: string | null) =>
    this.#act(
      () => ask(api.PUT('/api/2.0/user/apps/{appId}', { ...this.#path, body: { accent } })),
      accent ? 'The colour has been saved.' : 'The colour has been removed.',
    )

  override show(app: Data): TemplateResult {
    const canChange = app.mutable && may(this.me, 'update-app', String(app.id))
    const accent = this.chosen ?? app.accent
    return html`<div class="bar"><h1>Branding</h1></div>
      <p class="muted">On the way to a platform and back, merchants see pages of this service. They carry the name, the logo and the colour of your app.</p>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      <div class="columns">
        <div class="stack">
          <section class="card stack"><h2>Logo</h2>
            ${app.logo ? html`<p class="logo"><img src=${app.logo} alt="Logo of ${app.name}" /></p>` : html`<p class="muted">None yet: the name stands by itself.</p>`}
            ${canChange ? this.#logoFields(app) : nothing}
          </section>
          <section class="card stack"><h2>Colour</h2>${this.#colourFields(app, { accent, canChange })}</section>
          ${accent ? this.#snippet(accent) : nothing}
        </div>
        ${this.#preview(app, accent)}
      </div>`
  }

  #logoFields({ logo }: Data) {
    const error = errorOf(this.refusal, 'logo')
    return html`<div class="field"><label for="logo">${logo ? 'Another picture' : 'Picture'}</label>
        <input id="logo" type="file" accept="image/png,image/jpeg,image/gif,image/webp" aria-describedby="logo-help"
          aria-invalid=${error ? 'true' : 'false'} @change=${this.#upload} />
        <span id="logo-help" class=${error ? 'field-error' : 'field-help'}>${error ?? 'PNG, JPEG, GIF or WebP, at most 2 MB. It is shown up to 160 by 48 pixels.'}</span></div>
      ${logo ? html`<div><button @click=${this.#removeLogo}>Remove the logo</button></div>` : nothing}`
  }

  #colourFields(app: Data, { accent, canChange }: { accent: string | null; canChange: boolean }) {
    if (!canChange) return html`<p>${accent ? html`<code>${accent}</code>` : 'None: buttons are black or white.'}</p>`
    return html`<form class="row" @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      void this.#saveAccent(accent ?? neutral)
    }}>
        <label for="accent">Buttons</label>
        <input id="accent" type="color" .value=${accent ?? neutral} @input=${(event: Event) => {
          this.chosen = (event.target as HTMLInputElement).value
        }} />
        <code>${accent ?? 'none'}</code>
        <button class="primary" ?disabled=${this.chosen === null || this.chosen === app.accent}>Save</button>
      </form>
      <p class="field-help">Text on it is white or black, whichever is easier to read.</p>
      ${app.accent ? html`<div><button @click=${() => this.#saveAccent(null)}>Remove the colour</button></div>` : nothing}`
  }

  #snippet(accent: string) {
    return html`<section class="card stack"><h2>In your own pages</h2>
      <p class="muted">Components take their colours from your page, so that they can differ from place to place. <a href="/docs/guides/components#looks">All that can be set</a></p>
      ${copy(`entrepot-connect { --ep-accent: ${accent}; }`)}
    </section>`
  }

  /** As the page itself has it, its colours from where that has them. */
  #preview({ name, logo }: Data, accent: string | null) {
    return html`<figure class="card stack"><figcaption>What merchants see before they go to a platform</figcaption>
      ${accent ? html`<link rel="stylesheet" href="/arrival/${accent.slice(1)}" />` : nothing}
      <div class="preview" inert>
        ${logo ? html`<img src=${logo} alt="" />` : nothing}
        <p class="name">${name}</p>
        <p class="title">Connect a shop</p>
        <p class="muted">my-shop.example (Shopify)</p>
        <span class="go">Continue to Shopify</span>
      </div>
    </figure>`
  }

  static override styles = [
    ...Page.styles,
    css`
      .columns {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
        gap: 16px;
        align-items: start;
      }
      input[type='file'] {
        max-width: 100%;
        color: var(--_muted);
        font: 400 13px / 20px var(--_font);
      }
      input[type='file']::file-selector-button {
        min-height: var(--_control);
        margin-inline-end: 10px;
        padding: 0 12px;
        border: 1px solid var(--_line-strong);
        border-radius: var(--_radius);
        background: var(--_surface);
        color: var(--_text);
        font: 500 14px / 20px var(--_font);
        cursor: pointer;
      }
      input[type='file']:hover::file-selector-button {
        background: var(--_hover);
      }
      input[type='color'] {
        flex: none;
        width: 56px;
        height: var(--_control);
        padding: 3px;
        cursor: pointer;
      }
      input[type='color']::-webkit-color-swatch-wrapper {
        padding: 0;
      }
      input[type='color']::-webkit-color-swatch {
        border: 0;
        border-radius: 4px;
      }
      .logo img,
      .preview img {
        max-width: 160px;
        max-height: 48px;
      }
      figure {
        margin: 0;
      }
      figcaption {
        font: 600 14px / 22px var(--_font);
      }
      .preview {
        display: grid;
        justify-items: center;
        gap: 8px;
        padding: 32px 16px;
        border-radius: var(--_radius);
        background: var(--_sunken);
        text-align: center;
        overflow-wrap: anywhere;
      }
      .preview .name {
        color: var(--_muted);
        font-weight: 600;
      }
      .preview .title {
        font: 600 20px / 28px var(--_font);
      }
      .preview .go {
        padding: 8px 16px;
        border-radius: 6px;
        background: var(--accent, var(--_text));
        color: var(--on-accent, var(--_bg));
      }
    `,
  ]
}
define('ep-page-branding', Branding)

async function read(appId: string) {
  const { data } = await ask(api.GET('/api/2.0/user/apps/{appId}', { params: { path: { appId } } }))
  return data
}
