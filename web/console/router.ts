/** Addresses below `/console`, and which page each one shows. */

export const root = '/console'

export interface Route {
  /** `/apps/:app/orders`, without the root. */
  path: string
  /** The custom element that shows it; it gets `params` and `query`. */
  element: string
  title: string
  /** The part of the navigation it belongs to. */
  section: string
  /** Whoever lacks it does not find the page in the navigation, and reads so on the page. */
  right?: string
  /** Fetches what it is made of; left out where that comes with the frame. */
  load?: () => Promise<unknown>
}

export interface Place {
  route: Route | null
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

export function placeOf(routes: readonly Route[], location: Location): Place {
  const path = location.pathname.slice(root.length).replace(/\/$/, '') || '/'
  const query = new URLSearchParams(location.search)
  for (const route of routes) {
    const params = match(route.path, path)
    if (params) return { route, params, query }
  }
  return { route: null, params: {}, query }
}

function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [n, part] of wanted.entries()) {
    const value = given[n] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return params
}

/** What an address is about. With another query it is the same page; of another record, or another app, it is another one. */
export const placeName = ({ route, params }: Pick<Place, 'route' | 'params'>): string =>
  JSON.stringify([route?.path, params])

const listeners = new Set<() => void>()

export function onNavigate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Goes to a page, as a click on a link does. `replace` leaves no trace to come back to. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  const address = path.startsWith(root) ? path : root + path
  if (options.replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  for (const listener of listeners) listener()
}

export const href = (path: string): string => (path === '/' ? root : root + path)

type Changes = Readonly<Record<string, string | null>>

/** The address of the same page with another query, such as its next page: a search is worth a link. */
export function withQuery(changes: Changes): string {
  const address = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') address.searchParams.delete(name)
    else address.searchParams.set(name, value)
  }
  return address.pathname + address.search
}

export const changeQuery = (changes: Changes, options: { replace?: boolean } = {}): void =>
  navigate(withQuery(changes), options)

/** Links inside any shadow tree become navigation; anything that asks for more than a plain click is left alone. */
export function followLinks(target: EventTarget): void {
  target.addEventListener('click', (event) => {
    const click = event as MouseEvent
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey) return
    const link = click.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement)
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname !== root && !link.pathname.startsWith(`${root}/`)) return
    click.preventDefault()
    navigate(link.pathname + link.search)
    scrollTo(0, 0)
  })
  addEventListener('popstate', () => {
    for (const listener of listeners) listener()
  })
}
