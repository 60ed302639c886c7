import { css } from 'lit'
import createClient from 'openapi-fetch'
import { buttons, fields } from '../design/tokens.ts'
import type { paths } from '../lib/api-types.gen.ts'
import { fetchInTime } from '../lib/fetch-in-time.ts'
import { Element } from '../parts/element.ts'
import { problems } from '../parts/problem.ts'
import { badges } from '../parts/status.ts'
import { loadWords, type Words, wordsFor } from './words/index.ts'

/** Asked for a token whenever there is none, or the one there was no longer counts. */
export type GetToken = () => Promise<string | null> | string | null

export type Client = ReturnType<typeof createClient<paths>>

/** Where the script came from is where the service is, unless a page says otherwise. */
const home = new URL(import.meta.url).origin

/**
 * What all embedded elements share:
 *
 * - `base-url`: where the service is; the origin of the script by default.
 * - `token`, or the property `getToken`: the account token. With `getToken` an expired one is replaced without a reload.
 * - `lang`: the language; that of the page by default. `dir` follows it.
 */
export abstract class Embedded extends Element {
  static override properties = {
    baseUrl: { attribute: 'base-url' },
    token: {},
    getToken: { attribute: false },
    session: { attribute: false },
    lang: {},
  }
  declare baseUrl: string
  declare token: string | null
  declare getToken: GetToken | null
  /** In the console itself: headers of its session take the place of a token. */
  declare session: Readonly<Record<string, string>> | null
  #hasBegun = false
  #client: Client | null = null
  #renewal: Promise<string | null> | null = null
  /** Fetched by the element itself: nothing that a page has changed. */
  #fetched: string | null = null

  constructor() {
    super()
    this.baseUrl = home
    this.token = null
    this.getToken = null
    this.session = null
  }

  /** Asked once the element is on the page and a token can be had; again when that changes. */
  abstract begin(): Promise<void>

  override connectedCallback() {
    super.connectedCallback()
    // Frameworks set properties after they have put an element into the page.
    queueMicrotask(() => {
      if (this.isConnected && this.mayAsk && !this.#hasBegun) this.#begin()
    })
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#hasBegun = false
  }

  #begin() {
    this.#hasBegun = true
    void this.begin()
  }

  /** Nothing is shown in one language and a moment later in another: where words have to be fetched, that comes first. */
  protected override async scheduleUpdate(): Promise<void> {
    const fetched = loadWords(this.language)
    if (fetched) await fetched
    await super.scheduleUpdate()
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    if (!this.mayAsk) return
    // While words were fetched for the first time, a page may have said how to be let in.
    const first = changed.size > 0 && [...changed.values()].every((before) => before === undefined)
    const ways = ['token', 'getToken', 'session'] as const
    const given = ways.filter((way) => way !== 'token' || this.token !== this.#fetched)
    const isLetIn = given.some((way) => changed.has(way) && changed.get(way) === null)
    if (first ? !this.#hasBegun : isLetIn) this.#begin()
  }

  /** Whether there is any way to be let in. */
  get mayAsk(): boolean {
    return this.token !== null || this.getToken !== null || this.session !== null
  }

  get words(): Words {
    return wordsFor(this.language)
  }

  get language(): string {
    return this.lang || this.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || 'en'
  }

  /** Pictures come the way everything else does: a page whose policy allows nothing but itself passes them on. */
  picture(address: string): string {
    const { pathname } = new URL(address, home)
    return /^\/(logos|catalogue)\//.test(pathname) ? this.baseUrl + pathname : address
  }

  get client(): Client {
    this.#client ??= this.#makeClient()
    return this.#client
  }

  #makeClient(): Client {
    return createClient<paths>({ baseUrl: this.baseUrl, fetch: (request) => this.#send(request) })
  }

  async #send(request: Request): Promise<Response> {
    if (this.session) return await fetchInTime(withHeaders(request, this.session, 'same-origin'))
    const token = this.token ?? (await this.#renew())
    const first = await fetchInTime(withToken(request.clone(), token))
    if (first.status !== 401 || !this.getToken) return first
    const fresh = await this.#renew()
    return fresh === null || fresh === token ? first : await fetchInTime(withToken(request, fresh))
  }

  /** However many requests find out at the same time, the page is asked once. */
  #renew(): Promise<string | null> {
    this.#renewal ??= Promise.resolve(this.getToken?.() ?? null)
      .then((token) => {
        this.#fetched = token
        this.token = token
        return token
      })
      .finally(() => {
        this.#renewal = null
      })
    return this.#renewal
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    badges,
    problems,
    css`
      :host {
        display: block;
        color-scheme: inherit;
        container-type: inline-size;
      }
      h2.title {
        font: 600 14px / 22px var(--_font);
      }
      .stack {
        display: grid;
        gap: 16px;
        min-width: 0;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      .card {
        padding: 16px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
      }
    `,
  ]
}

/** What an element about one shop waits for. */
export const waitsFor = (element: Embedded & { integration: string }, words: Words): string =>
  !element.mayAsk ? words.needsToken : element.integration === '' ? words.needsShop : words.loading

const withToken = (request: Request, token: string | null): Request =>
  withHeaders(request, token === null ? {} : { authorization: `Bearer ${token}` }, 'omit')

function withHeaders(
  request: Request,
  more: Readonly<Record<string, string>>,
  credentials: RequestCredentials,
): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json')
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return new Request(request, { headers, credentials })
}
