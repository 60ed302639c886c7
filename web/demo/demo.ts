/**
 * What an embedding page does, but for one thing: its own server would make tokens for its merchants
 * (POST /api/2.0/app/intent/{account}) and the elements would get them by `getToken`. Here the console's session stands in
 * for that server, so that the page works for whoever is signed in there.
 */

interface Embedded extends HTMLElement {
  session: Readonly<Record<string, string>>
  integration: string
  begin(): Promise<void>
}

interface Account {
  id: number
  name: string | null
  remote_id: string
}

const ofUser = { accept: 'application/json', 'x-entrepot-console': '1' }
const elements = [...document.querySelectorAll<Embedded>('main :not(section, h2)')]
const notice = document.querySelector<HTMLElement>('#notice')

async function ask<Data>(path: string, headers: Record<string, string>): Promise<Data> {
  const answer = await fetch(path, { headers })
  if (!answer.ok) throw new Error(String(answer.status))
  return ((await answer.json()) as { data: Data }).data
}

const merchants = document.querySelector<HTMLSelectElement>('#merchant')

/** The merchant that is chosen, else the first, of the app that the console shows. */
async function sessionOfMerchant(): Promise<Record<string, string>> {
  const apps = await ask<{ id: number }[]>('/api/2.0/user/apps?per_page=100', ofUser)
  const wanted = localStorage.getItem('entrepot.app')
  const ofApp = { ...ofUser, 'x-entrepot-app': String((apps.find(({ id }) => String(id) === wanted) ?? apps[0])?.id) }
  const accounts = await ask<Account[]>('/api/2.0/app/accounts?per_page=100', ofApp)
  const chosen = accounts.find(({ id }) => String(id) === merchants?.value) ?? accounts[0]
  if (!chosen) throw new Error('There is no account.')
  merchants?.replaceChildren(
    ...accounts.map(({ id, name, remote_id }) => new Option(name ?? remote_id, String(id), false, id === chosen.id)),
  )
  return { ...ofApp, 'x-entrepot-account': String(chosen.id) }
}

async function begin(again = false) {
  try {
    const session = await sessionOfMerchant()
    const [shop] = await ask<{ id: number }[]>('/api/2.0/webcomponent/integrations?per_page=1&sort=-id', session)
    for (const element of elements) {
      if (['entrepot-schedules', 'entrepot-logs'].includes(element.localName))
        element.integration = shop ? String(shop.id) : ''
      element.session = session
      if (again) void element.begin()
    }
  } catch {
    explain()
  }
}

function explain() {
  if (!notice) return
  const link = document.createElement('a')
  link.href = '/console/start'
  link.textContent = 'Sign in to the console and take the first steps'
  notice.hidden = false
  notice.replaceChildren(link, '; then this page has an account to show.')
}

document.addEventListener('entrepot-connected', () => void begin())
merchants?.addEventListener('change', () => void begin(true))
document.querySelector('#language')?.addEventListener('change', (event) => {
  const { value } = event.target as HTMLSelectElement
  document.documentElement.lang = value
  for (const element of elements) element.lang = value
})
void begin()
