/** A browser without scripts: it opens addresses, fills in nothing, presses buttons, and follows redirects one by one. */
export interface Page {
  url: string
  status: number
  text: string
  headers: Headers
  /** Where it wants to go on to; null if it stays. */
  location: string | null
}

async function visit(url: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const location = response.headers.get('location')
  return {
    url,
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: location === null ? null : new URL(location, url).href,
  }
}

export const open = (url: string): Promise<Page> => visit(url)

/** Presses the button with this value in the page's only form. */
export async function press({ url, text }: Page, value: string): Promise<Page> {
  const action = /<form method="post" action="([^"]*)">/.exec(text)?.[1]
  const button = new RegExp(`<button type="submit" name="([^"]*)" value="${value}">`).exec(text)?.[1]
  if (action === undefined || button === undefined) throw new Error(`There is no button "${value}".`)
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = hidden.map(([, name = '', held = '']): [string, string] => [unescaped(name), unescaped(held)])
  const body = new URLSearchParams([...fields, [button, value]])
  return await visit(new URL(unescaped(action), url).href, { method: 'POST', body })
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => signs[name] ?? whole)
