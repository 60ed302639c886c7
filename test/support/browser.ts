/** A browser without scripts: it opens addresses, fills in nothing, presses buttons, keeps cookies, and follows redirects one by one. */
export interface Page {
  url: string
  status: number
  text: string
  headers: Headers
  /** Where it wants to go on to; null if it stays. */
  location: string | null
}

export interface Browser {
  open(url: string): Promise<Page>
  /** Presses the button with this value in the page's only form. */
  press(page: Page, value: string): Promise<Page>
  /** Opens where a trip begins and presses the button there: the platform's page. */
  setOff(address: string): Promise<Page>
}

/** One that nobody has used yet. `headers` go with every request. */
export function newBrowser(headers: Record<string, string> = {}): Browser {
  const cookies = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = cookies.get(origin) ?? new Map<string, string>()
    cookies.set(origin, jar)
    return jar
  }

  async function visit(url: string, init: RequestInit = {}): Promise<Page> {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...headers, ...(cookie && { cookie }) }
    const response = await fetch(url, { ...init, headers: sent, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    return {
      url,
      status: response.status,
      text: await response.text(),
      headers: response.headers,
      location: location === null ? null : new URL(location, url).href,
    }
  }

  const press: Browser['press'] = async ({ url, text }, value) => {
    const action = /<form method="post" action="([^"]*)">/.exec(text)?.[1]
    const button = new RegExp(`<button type="submit" name="([^"]*)" value="${value}">`).exec(text)?.[1]
    if (action === undefined || button === undefined) throw new Error(`There is no button "${value}".`)
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const fields = hidden.map(([, name = '', held = '']): [string, string] => [unescaped(name), unescaped(held)])
    const body = new URLSearchParams([...fields, [button, value]])
    return await visit(new URL(unescaped(action), url).href, { method: 'POST', body })
  }

  return {
    open: (url) => visit(url),
    press,
    async setOff(address) {
      const { location, text } = await press(await visit(address), 'continue')
      if (location === null) throw new Error(`The trip does not begin: ${text}`)
      return await visit(location)
    },
  }
}

/** The one that a file uses where it does not matter whose it is. */
export const { open, press, setOff } = newBrowser()

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => signs[name] ?? whole)
