import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js'
import { buttons, fields } from '../design/tokens.ts'
import { signedIn, whoIsHere } from './begin.ts'
import '../parts/combobox.ts'
import type { Option } from '../parts/combobox.ts'
import { define, Element } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { linkRequests, problem, problems } from '../parts/problem.ts'
import { empty, tables } from '../parts/table.ts'
import { showExactTimes } from '../parts/time.ts'
import { toast } from '../parts/toast.ts'
import { api, ask, sessionBegun, sessionEnded } from './api.ts'
import { frame } from './frame/frame.ts'
import iconUrl from './icon.svg'
import { Page } from './page.ts'
import './palette/palette.ts'
import { furtherEntries, paletteEntries } from './palette/entries.ts'
import './pages/entrance/accept-invitation.ts'
import './pages/entrance/forgotten-password.ts'
import './pages/entrance/new-password.ts'
import './pages/entrance/sign-in.ts'
import './pages/entrance/single-sign-on-return.ts'
import { rooms, sides } from './frame/side.ts'
import './pages/overview.ts'
import { expectedApps, readApps } from './pages/overview-data.ts'
import { followLinks, href, navigate, onNavigate, type Place, placeName, placeOf, root } from './router.ts'
import { routes } from './routes.ts'
import { type Me, may, signOut } from './session.ts'

interface App {
  id: number
  name: string
}

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)
const lastApp = 'entrepot.app'
const lastScheme = 'entrepot.scheme'
const lastTimes = 'entrepot.times'

/** On a page of an app its request log knows the request; elsewhere nobody knows of which app it was. */
linkRequests((id) => {
  const app = /^\/apps\/(\d+)(?:\/|$)/.exec(location.pathname.slice(root.length))?.[1]
  return app === undefined ? null : href(`/apps/${app}/requests/${id}`)
})

const entrances: Readonly<Record<string, TemplateResult>> = {
  '/invitation': html`<ep-accept-invitation></ep-accept-invitation>`,
  '/forgotten-password': html`<ep-forgotten-password></ep-forgotten-password>`,
  '/new-password': html`<ep-new-password></ep-new-password>`,
}

/** The frame around all pages: who is signed in, where one is, and where one can go. */
class Console extends Element {
  static override properties = {
    me: { state: true },
    apps: { state: true },
    place: { state: true },
    failure: { state: true },
    menuOpen: { state: true },
    exactTimes: { state: true },
    ended: { state: true },
    unfolded: { state: true },
    unfetched: { state: true },
  }
  declare me: Me | null | undefined
  declare apps: readonly App[] | null
  declare place: Place
  declare failure: unknown
  declare menuOpen: boolean
  declare exactTimes: boolean
  /** The session of whoever is signed in is over: the page stays as it is until they are back. */
  declare ended: boolean
  /** Rooms whose pages somebody wants to see without being in one of them. */
  declare unfolded: ReadonlySet<string>
  /** Pages that did not come, and why. */
  declare unfetched: ReadonlyMap<string, Error>

  constructor() {
    super()
    this.me = undefined
    this.apps = null
    this.place = placeOf(routes, location)
    this.failure = null
    this.menuOpen = false
    this.exactTimes = false
    this.ended = false
    this.unfolded = new Set()
    this.unfetched = new Map()
  }

  override connectedCallback() {
    super.connectedCallback()
    followLinks(this)
    this.#arrive()
    onNavigate(() => {
      const before = placeName(this.place)
      this.place = placeOf(routes, location)
      this.menuOpen = false
      this.#arrive()
      // Another page begins at its beginning, for the keyboard as well; another query of the same one goes on.
      if (before !== placeName(this.place)) this.#skip()
    })
    addEventListener(sessionEnded, () => {
      if (this.me) this.ended = true
    })
    this.addEventListener('apps-changed', () => void this.#readApps())
    document.documentElement.dataset['scheme'] = localStorage.getItem(lastScheme) ?? ''
    this.exactTimes = localStorage.getItem(lastTimes) === 'exact'
    showExactTimes(this.exactTimes)
    void this.#begin()
  }

  #arrive() {
    document.title = `${this.place.route?.title ?? 'Not found'} · Entrepot`
    const app = this.place.params['app']
    if (app) void this.#readApp(app)
  }

  #begin = async () => {
    this.failure = null
    const before = this.me
    try {
      this.me = await whoIsHere()
      if (this.me) localStorage.setItem(signedIn, 'yes')
      else localStorage.removeItem(signedIn)
      if (!this.me) return
      this.ended = false
      dispatchEvent(new Event(sessionBegun))
      if (before?.id === this.me.id) this.#reloadPage()
      else this.apps = null
      await this.#readApps()
    } catch (error) {
      // What somebody has typed is not worth less than the list of apps.
      if (before && !this.ended) toast(error instanceof Error ? error.message : String(error), 'critical')
      else this.failure = error
    }
  }

  /** As it was left, with what somebody has typed. */
  #reloadPage() {
    const page = this.renderRoot.querySelector('main#content')?.firstElementChild
    if (page instanceof Page) void page.reload()
  }

  #readApps = async () => {
    if (!this.me || !may(this.me, 'read-app')) return
    this.apps = (await expectedApps()?.catch(() => null)) ?? (await readApps())
    this.#arrive()
  }

  /** The app of the address may be none of the first hundred, or none that this user may see. */
  #readApp = async (id: string) => {
    if (!this.me || !may(this.me, 'read-app')) return
    try {
      const { data } = await ask(api.GET('/api/2.0/user/apps/{appId}', { params: { path: { appId: id } } }))
      localStorage.setItem(lastApp, id)
      if (!this.apps?.some((app) => app.id === data.id)) this.apps = [...(this.apps ?? []), data]
    } catch {
      // The page says what is wrong with it.
    }
  }

  /** Null where there is none; without a name where this user may not read apps. */
  get #app(): { id: string; name: string | null } | null {
    const named = this.place.params['app']
    if (named && this.me && !may(this.me, 'read-app')) return { id: named, name: null }
    const wanted = named ?? localStorage.getItem(lastApp)
    // Most likely it still is that one: its pages stand in the bar from the first moment, and nothing moves when the name comes.
    if (this.apps === null) return wanted ? { id: wanted, name: '' } : null
    const known = this.apps.find(({ id }) => String(id) === wanted) ?? this.apps[0]
    return known ? { id: String(known.id), name: known.name } : null
  }

  #findApps = async (text: string): Promise<Option[]> => {
    const query = { per_page: 15, sort: 'name', ...(text && { 'filter[q]': text }) } as never
    const { data } = await ask(api.GET('/api/2.0/user/apps', { params: { query } }))
    return data.map(({ id, name }) => ({ value: String(id), text: name }))
  }

  #leave = async () => {
    try {
      await signOut()
      localStorage.removeItem(signedIn)
      this.me = null
      this.ended = false
      navigate('/')
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'critical')
    }
  }

  #switchScheme = () => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const now = document.documentElement.dataset['scheme'] || (dark ? 'dark' : 'light')
    const next = now === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset['scheme'] = next
    localStorage.setItem(lastScheme, next)
  }

  #switchTimes = () => {
    this.exactTimes = !this.exactTimes
    localStorage.setItem(lastTimes, this.exactTimes ? 'exact' : 'relative')
    showExactTimes(this.exactTimes)
  }

  override render(): TemplateResult {
    // Whoever follows such a link is nobody yet.
    const path = location.pathname.slice(root.length)
    const entrance = entrances[path]
    if (entrance) return entrance
    const company = /^\/single-sign-on\/(\d+)$/.exec(path)?.[1]
    if (company) {
      return html`<ep-single-sign-on-return .company=${Number(company)} @signed-in=${this.#begin}></ep-single-sign-on-return>`
    }
    if (this.failure && !this.ended)
      return html`<main class="alone">${problem(this.failure, { retry: () => void this.#begin() })}</main>`
    if (this.me === undefined) return html`<main class="alone" role="status" aria-label="Loading"></main>`
    if (this.me === null) return html`<ep-sign-in @signed-in=${this.#begin}></ep-sign-in>`
    return html`
      ${this.ended ? html`<dialog class="entrance" aria-label="Sign in again" @cancel=${(event: Event) => event.preventDefault()}>${this.failure ? problem(this.failure, { retry: () => void this.#begin() }) : nothing}<ep-sign-in again @signed-in=${this.#begin}></ep-sign-in></dialog>` : nothing}
      <header class="top">
        <button class="quiet" aria-expanded=${this.menuOpen} aria-controls="side" @click=${this.#toggleMenu}>
          ${icon('menu')}<span class="visually-hidden">Menu</span>
        </button>
        <span class="brand"><img src=${iconUrl} alt="" width="22" height="22" />Entrepot</span>
        <button class="quiet find" @click=${this.#openPalette}>${icon('search')}<span class="visually-hidden">Find anything</span></button>
      </header>
      <aside id="side" aria-label="Side bar" class=${this.menuOpen ? 'side open' : 'side'}>
        <button class="skip" @click=${this.#skip}>Skip to content</button>
        <div class="inside">${this.#side(this.me)}</div>
      </aside>
      <ep-palette .app=${this.#app?.id ?? null} .entries=${paletteEntries(this.me, this.#app?.id ?? null, this.#actions)} .readFurther=${this.#readFurther}></ep-palette>
      <main id="content" tabindex="-1">${this.#page(this.me)}</main>
    `
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    // Where one is may be below what fits. Only once it is painted: asked for earlier, everything would be laid out for this alone.
    if (changed.has('place') || changed.has('me') || changed.has('apps'))
      requestAnimationFrame(() =>
        setTimeout(() => this.renderRoot.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' })),
      )
    // In front of everything, also of a dialog that is open.
    const entrance = this.renderRoot.querySelector<HTMLDialogElement>('dialog.entrance')
    if (entrance && !entrance.open) entrance.showModal()
  }

  #openPalette = () => {
    this.menuOpen = false
    const palette = this.renderRoot.querySelector<HTMLElement & { open: boolean }>('ep-palette')
    if (palette) palette.open = true
  }

  #readFurther = async () => {
    const app = this.#app?.id
    return this.me && app ? await furtherEntries(this.me, app) : []
  }

  /** What can be done from anywhere. */
  get #actions() {
    return [
      { text: 'Light or dark', icon: 'moon' as const, go: this.#switchScheme },
      { text: 'Exact times', icon: 'clock' as const, go: this.#switchTimes },
      { text: 'Your account', icon: 'user' as const, go: () => navigate('/account') },
      { text: 'Sign out', icon: 'exit' as const, go: () => void this.#leave() },
    ]
  }

  #toggleMenu = () => {
    this.menuOpen = !this.menuOpen
  }

  #skip = () => {
    this.renderRoot.querySelector<HTMLElement>('#content')?.focus()
  }

  #fold = (room: string) => {
    const others = [...this.unfolded].filter((one) => one !== room)
    this.unfolded = new Set(this.unfolded.has(room) ? others : [...others, room])
  }

  #side(me: Me): TemplateResult {
    const chosen = this.#app
    const side = {
      me,
      app: chosen?.id ?? null,
      section: this.place.route?.section ?? null,
      unfolded: this.unfolded,
      onFold: this.#fold,
    }
    return html`<span class="brand"><img src=${iconUrl} alt="" width="22" height="22" />Entrepot</span>
      ${
        chosen === null || chosen.name === null
          ? nothing
          : html`<ep-combobox class="switch" label="App" .value=${chosen.id} .shown=${chosen.name} .search=${this.#findApps}
              @pick=${(event: CustomEvent<string>) => this.#choose(event.detail)}></ep-combobox>`
      }
      <button class="find" @click=${this.#openPalette}>${icon('search')}<span>Find anything</span><kbd aria-hidden="true">${isMac ? '⌘' : 'Ctrl'} K</kbd></button>
      <nav aria-label="Main">${rooms(side)}</nav>
      <div class="foot">
        <a href=${href('/account')} title=${me.email} aria-current=${this.place.route?.section === 'account' ? 'page' : nothing}>${icon('user')}<span>Your account<span class="muted small">${me.email}</span></span></a>
        <button class="quiet" title="Light or dark" @click=${this.#switchScheme}>${icon('moon')}<span class="visually-hidden">Light or dark</span></button>
        <button class="quiet" title="Exact times" aria-pressed=${this.exactTimes} @click=${this.#switchTimes}>${icon('clock')}<span class="visually-hidden">Exact times</span></button>
        <button class="quiet" title="Sign out" @click=${this.#leave}>${icon('exit')}<span class="visually-hidden">Sign out</span></button>
      </div>`
  }

  #choose(app: string) {
    const { route, params } = this.place
    const stays = route && 'app' in params && Object.keys(params).length === 1
    navigate(stays ? route.path.replace(':app', app) : `/apps/${app}/integrations`)
  }

  #fetch = async (element: string, load: () => Promise<unknown>) => {
    try {
      await load()
      this.requestUpdate()
    } catch {
      this.unfetched = new Map(this.unfetched).set(element, new Error('The page could not be fetched. Try again.'))
    }
  }

  #page(me: Me): TemplateResult {
    const { route, params, query } = this.place
    if (!route) {
      const back = html`<a class="button" href=${href('/')}>Go to the overview</a>`
      const why = 'The address may be mistyped, or the record is gone.'
      return html`<h1>Not found</h1>${empty('There is no such page', why, back)}`
    }
    if (!may(me, route.right, params['app'] ?? null)) {
      const why = `It takes the right “${route.right}”. Ask whoever manages the team.`
      return html`<h1>${route.title}</h1>${empty('This page is not for you', why)}`
    }
    if (route.load && !customElements.get(route.element)) {
      const failure = this.unfetched.get(route.element)
      // A page that was fetched under names of an earlier version finds the new one only from the beginning.
      if (failure) return html`<h1>${route.title}</h1>${problem(failure, { retry: () => location.reload() })}`
      void this.#fetch(route.element, route.load)
      return html`<div role="status" aria-label="Loading"></div>`
    }
    // Names come from our own list of routes.
    const tag = unsafeStatic(route.element)
    const page = staticHtml`<${tag} .params=${params} .query=${query} .me=${me}></${tag}>`
    // Nothing of one record, or of one person, is left over for another: what is shown is always what buttons change.
    return html`${keyed(`${me.id} ${placeName(this.place)}`, page)}`
  }

  static override styles = [...Element.styles, buttons, fields, problems, tables, frame, sides]
}
define('ep-console', Console)
