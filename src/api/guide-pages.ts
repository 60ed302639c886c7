import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Marked } from 'marked'
import { notFound } from '../lib/fault.ts'
import type { PageRoute } from '../runtime/http/page.ts'

/**
 * The guides of `docs/guides` at /docs/guides, with a search over all of them. Rendered on the first visit and kept: they
 * change with the program only.
 */
const folder = join(import.meta.dirname, '../../docs/guides')

interface Guide {
  name: string
  title: string
  html: string
  sections: Section[]
}

/** What the search finds: a heading, where it is, and the words below it. */
interface Section {
  guide: string
  title: string
  address: string
  text: string
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-cache',
}

export function guidePages(): PageRoute[] {
  let guides: Promise<readonly Guide[]> | undefined
  const all = () => {
    guides ??= readGuides()
    return guides
  }
  return [
    { path: '/docs/guides', handle: async () => ({ status: 200, headers: page, body: indexPage(await all()) }) },
    {
      path: '/docs/guides/{name}',
      async handle({ params }) {
        const known = await all()
        const guide = known.find(({ name }) => name === params['name'])
        if (!guide) throw notFound()
        return { status: 200, headers: page, body: guidePage(guide, known) }
      },
    },
    {
      path: '/docs/search.json',
      handle: async () => ({ status: 200, body: (await all()).flatMap(({ sections }) => sections) }),
    },
    file('/docs/guides.css', 'text/css'),
    file('/docs/guides.js', 'text/javascript'),
  ]
}

const look = join(import.meta.dirname, '../../web/guides')

const file = (path: `/docs/${string}`, type: string): PageRoute => ({
  path,
  handle: async () => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' },
    body: await readFile(join(look, path.slice('/docs/'.length)), 'utf8'),
  }),
})

/** First what a new person needs; what is not named here comes after, by name. */
const order = [
  'quick-start',
  'install-flows',
  'orders',
  'webhooks',
  'connectors',
  'components',
  'simulator',
  'operate',
  'migrate-1-to-2',
]
const placeOf = (name: string) => (order.indexOf(name) + order.length + 1) % (order.length + 1)

async function readGuides(): Promise<readonly Guide[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3))
  names.sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
  return await Promise.all(names.map(async (name) => render(name, await readFile(join(folder, `${name}.md`), 'utf8'))))
}

function render(name: string, source: string): Guide {
  const sections: Section[] = []
  const used = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = unique(slug(text), used)
        sections.push({ guide: '', title: plain(text), address: `/docs/guides/${name}#${id}`, text: '' })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const [text, address] = [this.parser.parseInline(tokens), linkTo(href)]
        return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
      },
    },
  })
  const html = marked.parse(source, { async: false })
  const title = sections[0]?.title ?? name
  return { name, title, html, sections: withWords(sections, title, source) }
}

/** The words below each heading, cut out of the source: enough to find it by. */
function withWords(sections: readonly Section[], guide: string, source: string): Section[] {
  const prose = source.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, (code) => code.replace(/^#/gm, ' '))
  const parts = prose.split(/^#{1,6} .*$/m).slice(1)
  return sections.map((section, n) => ({ ...section, guide, text: plain(parts[n] ?? '').slice(0, 4000) }))
}

/** Guides link to each other as files, so that they work in a repository as well. */
function linkTo(href: string): string | null {
  if (/^[a-z]+:/i.test(href) || href.startsWith('/') || href.startsWith('#')) return href
  const [path = '', hash] = href.split('#')
  const guide = /^(?:\.\/)?([\w-]+)\.md$/.exec(path)?.[1]
  // Other files of the repository are not served.
  return guide ? `/docs/guides/${guide}${hash ? `#${hash}` : ''}` : null
}

const slug = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')

function unique(id: string, used: Map<string, number>): string {
  const n = used.get(id) ?? 0
  used.set(id, n + 1)
  return n === 0 ? id : `${id}-${n}`
}

const plain = (text: string): string =>
  text
    .replace(/[`*_|#>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const frame = (title: string, side: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Entrepot</title>
<link rel="stylesheet" href="/docs/guides.css">
<script src="/docs/guides.js" defer></script>
</head>
<body>
<header><a class="brand" href="/docs/guides">Entrepot</a><nav aria-label="Documentation"><a href="/docs/guides">Guides</a><a href="/docs">API reference</a><a href="/console">Console</a></nav>
<form role="search"><input type="search" id="search" aria-label="Search the guides" placeholder="Search the guides" autocomplete="off"></form></header>
<div id="found" role="status" hidden></div>
<div class="columns"><nav class="side" aria-label="Guides"><ul>${side}</ul></nav><main>${main}</main></div>
</body>
</html>
`

const links = (guides: readonly Guide[], current: string | null) =>
  guides
    .map(
      ({ name, title }) =>
        `<li><a href="/docs/guides/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
    )
    .join('')

const guidePage = (guide: Guide, guides: readonly Guide[]) => frame(guide.title, links(guides, guide.name), guide.html)

const indexPage = (guides: readonly Guide[]) =>
  frame(
    'Guides',
    links(guides, null),
    `<h1>Guides</h1><ul class="cards">${guides
      .map(
        ({ name, title, sections }) =>
          `<li><a href="/docs/guides/${name}"><strong>${escaped(title)}</strong><span>${escaped((sections[0]?.text ?? '').slice(0, 140))}</span></a></li>`,
      )
      .join('')}</ul>`,
  )
