import { prepare, search } from './guides-search.js'

/* The search: `/` goes to the field, the arrows walk through what was found, Enter opens the first, Escape ends it. */
const input = document.getElementById('search')
const found = document.getElementById('found')
const count = document.getElementById('count')
const list = document.getElementById('hits')

// Fetched before it is needed: the first letter has an answer at once, even if the server is away by then.
const index = fetch('/docs/search.json').then((answer) => answer.json())
index.catch(() => undefined)

const prepared = index.then(prepare)
prepared.catch(() => undefined)

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Whole words around the first place that has one of them. */
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 40)
  const piece = text.slice(from, from + 140)
  const begun = from === 0 ? piece : `… ${piece.replace(/^\S*\s+/, '')}`
  return from + 140 >= text.length ? begun : `${begun.replace(/\s+\S*$/, '')} …`
}

function hit({ title, guide, address, text }, words) {
  const link = document.createElement('a')
  link.href = address
  const name = document.createElement('strong')
  name.textContent = title
  const where = document.createElement('small')
  where.textContent = `${guide} – ${excerpt(text, words)}`
  link.append(name, where)
  const item = document.createElement('li')
  item.append(link)
  return item
}

async function show() {
  const asked = input.value
  const words = wordsOf(asked)
  found.hidden = words.length === 0
  if (words.length === 0) return
  const sections = await prepared.catch(() => null)
  // Somebody has typed on meanwhile.
  if (asked !== input.value) return
  const hits = sections === null ? [] : search(sections, asked)
  const shown = hits.slice(0, 12)
  count.textContent =
    sections === null
      ? 'The search could not be loaded. Load the page again.'
      : hits.length === 0
        ? `Nothing was found for “${asked.trim()}”. Try fewer words.`
        : `${hits.length} ${hits.length === 1 ? 'section' : 'sections'} found${hits.length > shown.length ? `, the best ${shown.length} of them here` : ''}.`
  list.replaceChildren(...shown.map((section) => hit(section, words)))
}

function end() {
  input.value = ''
  found.hidden = true
}

input.addEventListener('input', show)
input.form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
// A link to a place on the same page loads nothing: what was found would stay in front of it.
list.addEventListener('click', (event) => {
  if (event.target.closest('a')) end()
})
addEventListener('keydown', (event) => {
  const stops = [input, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  if (event.key === '/' && at !== 0) input.focus()
  else if (event.key === 'Escape' && !found.hidden) {
    end()
    input.focus()
  } else if (event.key === 'ArrowDown' && at >= 0 && !found.hidden) stops[Math.min(at + 1, stops.length - 1)].focus()
  else if (event.key === 'ArrowUp' && at > 0) stops[at - 1].focus()
  else return
  event.preventDefault()
})
// Who comes back with words still in the field finds what they led to.
if (input.value) show()

/* Examples speak of this very service, and are copied with a click. */
const example = 'http://127.0.0.1:3000'
if (location.origin !== example) {
  for (const code of document.querySelectorAll('code')) {
    if (code.textContent.includes(example)) code.textContent = code.textContent.replaceAll(example, location.origin)
  }
}
/** Comments, texts and numbers stand out; the rest is what it is in any language. */
const pieces =
  /(?<comment>(?<=^|\s)(?:#|\/\/|--)\s[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>\b(?:const|let|import|from|export|await|async|function|return|if|else|for|of|new|select|where|create|curl|npm|npx|docker)\b)/gm
function highlight(code) {
  const source = code.textContent
  const parts = []
  let end = 0
  for (const { 0: piece, index: at, groups } of source.matchAll(pieces)) {
    const span = document.createElement('span')
    span.className = `code-${Object.keys(groups).find((name) => groups[name] !== undefined)}`
    span.textContent = piece
    parts.push(source.slice(end, at), span)
    end = at + piece.length
  }
  code.replaceChildren(...parts, source.slice(end))
}
for (const code of document.querySelectorAll('pre code')) highlight(code)
for (const block of document.querySelectorAll('pre')) {
  const text = block.textContent
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  const around = document.createElement('div')
  around.className = 'example'
  block.replaceWith(around)
  around.append(block, button)
}

/* What a long guide is about, before it begins. */
const parts = [...document.querySelectorAll('main h2[id]')]
const headings = parts.length > 3 ? parts : [...document.querySelectorAll('main :is(h2, h3)[id]')]
const title = document.querySelector('main h1')
if (title && headings.length > 3) {
  const contents = document.createElement('nav')
  contents.setAttribute('aria-label', 'On this page')
  const entries = document.createElement('ul')
  entries.className = 'contents'
  for (const heading of headings) {
    const link = document.createElement('a')
    link.href = `#${heading.id}`
    link.textContent = heading.textContent
    const item = document.createElement('li')
    item.append(link)
    entries.append(item)
  }
  contents.append(entries)
  title.after(contents)
}

// The list at the side may be longer than the screen: whoever opens a guide sees where it stands. On a phone it is no box of its own.
const side = document.querySelector('.side > div')
const current = side?.querySelector('[aria-current]')
if (side && current) side.scrollTop = current.offsetTop - side.clientHeight / 2
