/**
 * What an embedding page does. Its own server would make the intent token (POST /api/2.0/app/intent/{account}); here the
 * console's session stands in for that server, so the page works for whoever is signed in there.
 */

interface Embedded extends HTMLElement {
  getToken: () => Promise<string>
  integration: string
}

const console_ = { accept: 'application/json', 'x-entrepot-console': '1' }
const elements = [...document.querySelectorAll<Embedded>('main :not(section, h2)')]
const notice = document.querySelector<HTMLElement>('#notice')

async function ask<Data>(path: string, init: RequestInit = {}): Promise<Data> {
  const answer = await fetch(path, init)
  if (!answer.ok) throw new Error(String(answer.status))
  return ((await answer.json()) as { data: Data }).data
}

async function firstAccount(): Promise<{ app: string; account: string }> {
  const apps = await ask<{ id: number }[]>('/api/2.0/user/apps?per_page=100', { headers: console_ })
  const wanted = localStorage.getItem('entrepot.app')
  const app = String((apps.find(({ id }) => String(id) === wanted) ?? apps[0])?.id)
  const accounts = await ask<{ remote_id: string }[]>('/api/2.0/app/accounts?per_page=1', {
    headers: { ...console_, 'x-entrepot-app': app },
  })
  const [account] = accounts
  if (!account) throw new Error('There is no account.')
  return { app, account: account.remote_id }
}

async function accountToken(): Promise<string> {
  const { app, account } = await firstAccount()
  const intent = await ask<{ token: string }>(`/api/2.0/app/intent/${encodeURIComponent(account)}`, {
    method: 'POST',
    headers: { ...console_, 'x-entrepot-app': app, 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['*'] }),
  })
  const answer = await fetch('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'intent_token', intent_token: intent.token }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** One token for all elements; asked for again when one of them finds that it no longer counts. */
let shared: Promise<string> | null = null
const getToken = () => {
  shared ??= accountToken().finally(() =>
    setTimeout(() => {
      shared = null
    }, 5000),
  )
  return shared
}

async function begin() {
  try {
    const token = await getToken()
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const shops = await ask<{ id: number }[]>('/api/2.0/webcomponent/integrations?per_page=1&sort=-id', { headers })
    for (const element of elements) {
      const [shop] = shops
      if (shop && ['entrepot-schedules', 'entrepot-logs'].includes(element.localName))
        element.integration = String(shop.id)
      element.getToken = getToken
    }
  } catch {
    if (notice) {
      notice.hidden = false
      notice.innerHTML = ''
      const link = document.createElement('a')
      link.href = '/console/start'
      link.textContent = 'Sign in to the console and take the first steps'
      notice.append(link, '; then this page has an account to show.')
    }
  }
}

document.addEventListener('entrepot-connected', () => void begin())
document.querySelector('#language')?.addEventListener('change', (event) => {
  const { value } = event.target as HTMLSelectElement
  document.documentElement.lang = value
  for (const element of elements) element.lang = value
})
void begin()
