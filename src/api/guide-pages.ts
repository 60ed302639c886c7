import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageRoute } from '../runtime/http/page.ts'
import { escaped, type Guide, renderGuide } from './guide-markdown.ts'
import { shelves } from './guide-shelves.ts'

/**
 * The guides of `docs/guides` at /docs/guides, with a search over all of them. Rendered on the first visit and kept: they
 * change with the program only.
 */
const folder = join(import.meta.dirname, '../../docs/guides')

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-cache',
}

/** What every page of the guides needs, and changes with the program only. */
const kept = { 'cache-control': 'public, max-age=300' }

const markdown = { ...kept, 'content-type': 'text/markdown; charset=utf-8' }

let guides: Promise<readonly Guide[]> | undefined

export function allGuides(): Promise<readonly Guide[]> {
  guides ??= readGuides()
  return guides
}

export function guidePages(): PageRoute[] {
  const all = allGuides
  return [
    { path: '/docs/guides', handle: async () => ({ status: 200, headers: page, body: indexPage(await all()) }) },
    {
      path: '/docs/guides/{name}',
      async handle({ params }) {
        const known = await all()
        const asked = params['name'] ?? ''
        const guide = known.find(({ name }) => name === asked.replace(/\.md$/, ''))
        if (guide && asked.endsWith('.md')) return { status: 200, headers: markdown, body: guide.source }
        if (!guide) return { status: 404, headers: page, body: missingPage(known) }
        return { status: 200, headers: page, body: guidePage(guide, known) }
      },
    },
    { path: '/llms.txt', handle: async () => ({ status: 200, headers: markdown, body: forAgents(await all()) }) },
    {
      path: '/docs/search.json',
      handle: async () => ({ status: 200, headers: kept, body: (await all()).flatMap(({ sections }) => sections) }),
    },
    file('/docs/guides.css', 'text/css'),
    file('/docs/guides.js', 'text/javascript'),
    file('/docs/guides-search.js', 'text/javascript'),
  ]
}

const look = join(import.meta.dirname, '../../web/guides')

const file = (path: `/docs/${string}`, type: string): PageRoute => ({
  path,
  handle: async () => ({
    status: 200,
    headers: { ...kept, 'content-type': `${type}; charset=utf-8` },
    body: await readFile(join(look, path.slice('/docs/'.length)), 'utf8'),
  }),
})

/** In the order of their shelves; whoever writes one puts it on a shelf. */
async function readGuides(): Promise<readonly Guide[]> {
  const names = shelves.flatMap(({ guides }) => Object.keys(guides))
  return await Promise.all(
    names.map(async (name) => renderGuide(name, await readFile(join(folder, `${name}.md`), 'utf8'))),
  )
}

const frame = (title: string, side: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Entrepot</title>
<link rel="stylesheet" href="/components/inter.css">
<link rel="stylesheet" href="/docs/guides.css">
<script type="module" src="/docs/guides.js"></script>
<link rel="modulepreload" href="/docs/guides-search.js">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="brand" href="/docs/guides">Entrepot</a><nav aria-label="Documentation"><a href="/docs/guides">Guides</a><a href="/docs">API reference</a><a href="/console">Console</a></nav>
<form role="search"><input type="search" id="search" aria-label="Search the guides" aria-describedby="count" placeholder="Search the guides" autocomplete="off"></form>
<section id="found" aria-label="Found in the guides" hidden><p id="count" role="status"></p><ul id="hits"></ul></section></header>
<div class="columns">${side}<main id="content" tabindex="-1">${main}</main></div>
</body>
</html>
`

/** Every shelf with what stands on it, as somebody shows it. */
const onShelves = (guides: readonly Guide[], show: (title: string, items: readonly Guide[]) => string): string =>
  shelves
    .map(({ title, guides: names }) => {
      const items = guides.filter(({ name }) => Object.hasOwn(names, name))
      return show(title, items)
    })
    .join('')

const summaryOf = new Map(shelves.flatMap(({ guides }) => Object.entries(guides)))

const sideOf = (guides: readonly Guide[], current: string | null): string => {
  const link = ({ name, title }: Guide) =>
    `<li><a href="/docs/guides/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`
  const shelf = (title: string, items: readonly Guide[]) =>
    `<p>${escaped(title)}</p><ul>${items.map(link).join('')}</ul>`
  return `<nav class="side" aria-label="Guides"><div>${onShelves(guides, shelf)}</div></nav>`
}

const guidePage = (guide: Guide, guides: readonly Guide[]) =>
  frame(
    guide.title,
    sideOf(guides, guide.name),
    `${guide.html}<p><a href="/docs/guides/${guide.name}.md">This guide as Markdown</a></p>`,
  )

/** What programs that read documentation for people look for: where everything is, as text. */
const forAgents = (guides: readonly Guide[]): string =>
  [
    '# Entrepot',
    '',
    '> Integration service for commerce: apps connect the shops of their merchants; orders, products, stock and shipments flow both ways.',
    '',
    '## Guides',
    '',
    ...guides.map(({ name, title }) => `- [${title}](/docs/guides/${name}.md): ${summaryOf.get(name)}`),
    '',
    '## Interfaces',
    '',
    '- [OpenAPI document](/api/openapi.json): every endpoint of versions 2.0 and 1.0',
    '- [AsyncAPI document](/api/asyncapi.json): every event that is sent to webhooks',
    '- MCP server at /mcp: tools for agents that a person lets in; [how to connect one](/docs/guides/agents.md)',
    '',
  ].join('\n')

const indexPage = (guides: readonly Guide[]) => {
  const card = ({ name, title }: Guide) =>
    `<li><a href="/docs/guides/${name}"><strong>${escaped(title)}</strong><span>${escaped(summaryOf.get(name) ?? '')}</span></a></li>`
  const shelf = (title: string, items: readonly Guide[]) =>
    `<h2>${escaped(title)}</h2><ul class="cards">${items.map(card).join('')}</ul>`
  return frame('Guides', '', `<h1>Guides</h1>${onShelves(guides, shelf)}`)
}

const missingPage = (guides: readonly Guide[]) =>
  frame(
    'Not found',
    sideOf(guides, null),
    '<h1>There is no such guide</h1><p>It may have been renamed. All of them are in the list, and the search above finds every word in them.</p>',
  )
