/** Languages that embedded elements speak beside English: the pages of their window fetch the same words. */
export const pageLanguages = ['de', 'es', 'fr', 'it', 'nl', 'pl'] as const

/**
 * What pages on the way to a platform and back do in the browser. Nothing in the message is secret; who listens checks that it comes
 * from us, and from the window it has opened.
 *
 * The element says its language behind the address of the first page, and the window remembers it: the platform's pages lie in
 * between. A window that nobody has told speaks what the browser asks for.
 */
export const arrivalScript = `const message = document.getElementById('message')
const { connected, integration } = document.body.dataset
const reasonOf = (element) => JSON.parse(element.dataset.says ?? 'null')
if (window.opener && message) {
  window.opener.postMessage({
    source: 'entrepot',
    connected: connected === 'true',
    integration_id: integration ? Number(integration) : null,
    message: message.textContent,
    reason: reasonOf(message),
  }, '*')
  if (connected === 'true') window.close()
}

function languagesWanted() {
  const given = new URLSearchParams(location.hash.slice(1)).get('lang')
  // In a frame a browser may refuse to remember anything.
  try {
    if (given) sessionStorage.setItem('entrepot-lang', given)
    const kept = sessionStorage.getItem('entrepot-lang')
    if (kept) return [kept]
  } catch {}
  return given ? [given] : navigator.languages
}

async function translate(language) {
  const { words } = await import('/components/words-' + language + '.js')
  for (const element of document.querySelectorAll('[data-says]')) {
    const said = words.reasons(reasonOf(element))
    if (said === null) continue
    element.textContent = said
    if (element.localName !== 'h1') continue
    document.title = said
    document.documentElement.lang = language
  }
}

const spoken = ${JSON.stringify(pageLanguages)}
const wanted = languagesWanted().map((one) => one.toLowerCase().split('-')[0])
const language = wanted.find((one) => one === 'en' || spoken.includes(one))
const isRead = !window.closed && document.querySelector('[data-says]') !== null
// What cannot be fetched stays English.
if (isRead && spoken.includes(language)) translate(language).catch(() => {})
`
