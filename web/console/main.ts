import { css, html, nothing, type TemplateResult } from 'lit'
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js'
import { buttons, fields } from '../design/tokens.ts'
import { define, Element } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem, problems } from '../parts/problem.ts'
import { empty, tables } from '../parts/table.ts'
import { api, ask } from './api.ts'
import iconUrl from './icon.svg'
import { administration, general, type Item, ofApp } from './navigation.ts'
import './pages/sign-in.ts'
import { followLinks, href, navigate, onNavigate, type Place, placeOf } from './router.ts'
import { routes } from './routes.ts'
import { type Me, may, readMe, signOut } from './session.ts'

interface App {
  id: number
  name: string
}

const lastApp = 'entrepot.app'
const lastScheme = 'entrepot.scheme'

/** The frame around all pages: who is signed in, where one is, and where one can go. */
class Console extends Element {
  static override properties = {
    me: { state: true },
    apps: { state: true },
    place: { state: true },
    failure: { state: true },
    menuOpen: { state: true },
  }
  declare me: Me | null | undefined
  declare apps: readonly App[]
  declare place: Place
  declare failure: unknown
  declare menuOpen: boolean

  constructor() {
    super()
    this.me = undefined
    this.apps = []
    this.place = placeOf(routes, location)
    this.failure = null
    this.menuOpen = false
  }

  override connectedCallback() {
    super.connectedCallback()
    followLinks(this)
    onNavigate(() => {
      this.place = placeOf(routes, location)
      this.menuOpen = false
      document.title = this.place.route ? `${this.place.route.title} · Entrepot` : 'Entrepot'
      const app = this.place.params['app']
      if (app) localStorage.setItem(lastApp, app)
    })
    this.addEventListener('signed-out', () => {
      this.me = null
    })
    this.addEventListener('apps-changed', () => void this.#readApps())
    document.documentElement.dataset['scheme'] = localStorage.getItem(lastScheme) ?? ''
    void this.#begin()
  }

  #begin = async () => {
    this.failure = null
    try {
      this.me = await readMe()
      if (this.me) await this.#readApps()
    } catch (error) {
      this.failure = error
    }
  }

  #readApps = async () => {
    const { data } = await ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } }))
    this.apps = data
  }

  get #app(): string | null {
    const wanted = this.place.params['app'] ?? localStorage.getItem(lastApp)
    const known = this.apps.find(({ id }) => String(id) === wanted) ?? this.apps[0]
    return this.place.params['app'] ?? (known ? String(known.id) : null)
  }

  #leave = async () => {
    await signOut()
    this.me = null
    navigate('/')
  }

  #switchScheme = () => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const now = document.documentElement.dataset['scheme'] || (dark ? 'dark' : 'light')
    const next = now === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset['scheme'] = next
    localStorage.setItem(lastScheme, next)
  }

  override render(): TemplateResult {
    if (this.failure)
      return html`<main class="alone">${problem(this.failure, { retry: () => void this.#begin() })}</main>`
    if (this.me === undefined) return html`<main class="alone" role="status" aria-label="Loading"></main>`
    if (this.me === null) return html`<ep-sign-in @signed-in=${this.#begin}></ep-sign-in>`
    return html`
      <header class="top">
        <button class="quiet" aria-expanded=${this.menuOpen} aria-controls="side" @click=${this.#toggleMenu}>
          ${icon('menu')}<span class="visually-hidden">Menu</span>
        </button>
        <span class="brand"><img src=${iconUrl} alt="" width="22" height="22" />Entrepot</span>
      </header>
      <aside id="side" aria-label="Side bar" class=${this.menuOpen ? 'side open' : 'side'}>
        <button class="skip" @click=${this.#skip}>Skip to content</button>
        ${this.#side(this.me)}
      </aside>
      <main id="content" tabindex="-1">${this.#page(this.me)}</main>
    `
  }

  #toggleMenu = () => {
    this.menuOpen = !this.menuOpen
  }

  #skip = () => {
    this.renderRoot.querySelector<HTMLElement>('#content')?.focus()
  }

  #side(me: Me): TemplateResult {
    const app = this.#app
    const list = (items: readonly Item[]) => html`<ul>
      ${items.filter(({ permission }) => may(me, permission)).map((item) => this.#item(item, app))}
    </ul>`
    return html`<span class="brand"><img src=${iconUrl} alt="" width="22" height="22" />Entrepot</span>
      <nav aria-label="Main">
        ${list(general)}
        ${
          app === null
            ? nothing
            : html`<div class="switch">
                <label class="visually-hidden" for="app">App</label>
                <select id="app" @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}>
                  ${this.apps.map(({ id, name }) => html`<option value=${id} ?selected=${String(id) === app}>${name}</option>`)}
                </select>
              </div>
              ${list(ofApp)}`
        }
        <h2>Administration</h2>
        ${list(administration)}
      </nav>
      <div class="foot">
        <a href="/docs/guides">${icon('book')}Documentation</a>
        <a href="/demo">${icon('external')}Components in a page</a>
        <button class="quiet" @click=${this.#switchScheme}>${icon('moon')}Light or dark</button>
        <button class="quiet" @click=${this.#leave}>${icon('exit')}Sign out</button>
        <span class="muted small">${me.email}</span>
      </div>`
  }

  #item(item: Item, app: string | null): TemplateResult {
    const current = this.place.route?.section === item.section
    return html`<li>
      <a href=${href(item.path.replace(':app', app ?? ''))} aria-current=${current ? 'page' : nothing}>${icon(item.icon)}${item.label}</a>
    </li>`
  }

  #choose(app: string) {
    const { route, params } = this.place
    const stays = route && 'app' in params && Object.keys(params).length === 1
    navigate(stays ? route.path.replace(':app', app) : `/apps/${app}/integrations`)
  }

  #page(me: Me): TemplateResult {
    const { route, params, query } = this.place
    if (!route) {
      const back = html`<a class="button" href=${href('/')}>Go to the overview</a>`
      const why = 'The address may be mistyped, or the record is gone.'
      return html`<h1>Not found</h1>${empty('There is no such page', why, back)}`
    }
    if (!may(me, route.permission)) {
      const why = `It takes the permission “${route.permission}”. Ask whoever manages the users.`
      return html`<h1>${route.title}</h1>${empty('This page is not for you', why)}`
    }
    // Names come from our own list of routes.
    const tag = unsafeStatic(route.element)
    return staticHtml`<${tag} .params=${params} .query=${query} .me=${me}></${tag}>` as TemplateResult
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    problems,
    tables,
    css`
      :host {
        display: grid;
        grid-template-columns: 232px minmax(0, 1fr);
        min-height: 100dvh;
      }
      .skip {
        position: absolute;
        inset-inline-start: -999px;
      }
      .skip:focus {
        inset: 8px auto auto 8px;
        z-index: 30;
      }
      .top {
        display: none;
      }
      .side {
        position: sticky;
        top: 0;
        display: flex;
        flex-direction: column;
        gap: 12px;
        height: 100dvh;
        padding: 16px 12px;
        overflow-y: auto;
        border-inline-end: 1px solid var(--_line);
        background: var(--_surface);
      }
      .brand {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 0 8px;
        font: 600 16px / 24px var(--_font);
      }
      nav {
        flex: 1;
      }
      nav h2 {
        margin: 16px 8px 4px;
        color: var(--_muted);
        font: 500 12px / 16px var(--_font);
      }
      ul {
        display: grid;
        gap: 1px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li a,
      .foot a {
        display: flex;
        align-items: center;
        gap: 10px;
        min-height: 32px;
        padding: 0 8px;
        border-radius: var(--_radius);
        color: var(--_text);
        text-decoration: none;
      }
      li a svg,
      .foot svg {
        flex: none;
        color: var(--_muted);
      }
      li a:hover,
      .foot a:hover {
        background: var(--_hover);
      }
      li a[aria-current] {
        background: var(--_accent-soft);
        color: var(--_accent);
        font-weight: 500;
        box-shadow: inset 3px 0 0 var(--_accent);
      }
      li a[aria-current] svg {
        color: inherit;
      }
      .switch {
        margin: 12px 0 8px;
      }
      .foot {
        display: grid;
        gap: 1px;
        padding-top: 8px;
        border-top: 1px solid var(--_line);
      }
      .foot button {
        justify-content: flex-start;
        gap: 10px;
        padding: 0 8px;
        font-weight: 400;
      }
      .foot span {
        padding: 4px 8px 0;
        overflow-wrap: anywhere;
      }
      main {
        display: grid;
        gap: 16px;
        align-content: start;
        width: 100%;
        max-width: 1264px;
        margin: 0 auto;
        padding: 24px 32px 48px;
        min-width: 0;
        outline: none;
      }
      main.alone {
        grid-column: 1 / -1;
        padding-top: 20dvh;
      }
      ep-sign-in {
        grid-column: 1 / -1;
      }
      @media (max-width: 860px) {
        :host {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: auto 1fr;
        }
        .top {
          position: sticky;
          top: 0;
          z-index: 10;
          display: flex;
          align-items: center;
          gap: 4px;
          padding: 6px 8px;
          border-bottom: 1px solid var(--_line);
          background: var(--_surface);
        }
        .side {
          display: none;
          position: fixed;
          inset: 53px 0 0;
          z-index: 9;
          height: auto;
        }
        .side .brand {
          display: none;
        }
        .side.open {
          display: flex;
        }
        main {
          padding: 16px 16px 40px;
        }
      }
    `,
  ]
}
define('ep-console', Console)
