import { Marked, type Tokens } from 'marked'

/** A guide as its page shows it, and as the search knows it. */
export interface Guide {
  name: string
  title: string
  /** As it was written. */
  source: string
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

export function renderGuide(name: string, source: string): Guide {
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
      // What may be wider than the page is scrolled, and so has to be reached by the keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens)
        return tableOf(
          token.header.map(inline),
          token.rows.map((row) => row.map(inline)),
          sections.at(-1)?.title ?? name,
        )
      },
    },
  })
  const html = marked.parse(source, { async: false })
  const title = sections[0]?.title ?? name
  return { name, title, source, html, sections: withWords(sections, title, source) }
}

/** A column without a name has no header cell, and a table without any has no head. */
function tableOf(header: readonly string[], rows: readonly (readonly string[])[], label: string): string {
  const cells = header.map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`))
  const head = header.some((cell) => cell !== '') ? `<thead><tr>${cells.join('')}</tr></thead>` : ''
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="table" role="group" aria-label="${escaped(label)}" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
}

/** The words below each heading, cut out of the source: all of them, so that all can be found. */
function withWords(sections: readonly Section[], guide: string, source: string): Section[] {
  const prose = source.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, (code) => code.replace(/^#/gm, ' '))
  const parts = prose.split(/^#{1,6} .*$/m).slice(1)
  return sections.map((section, n) => ({ ...section, guide, text: plain(parts[n] ?? '') }))
}

/** Guides link to each other as files, so that they work in a repository as well. */
function linkTo(href: string): string | null {
  if (/^[a-z]+:/i.test(href) || href.startsWith('/') || href.startsWith('#')) return href
  const [path = '', hash] = href.split('#')
  const guide = /^(?:\.\/)?([\w-]+)\.md$/.exec(path)?.[1]
  // Other files of the repository are not served.
  return guide ? `/docs/guides/${guide}${hash ? `#${hash}` : ''}` : null
}

/** As repositories name their headings, so that a link to one works in both places. */
export const slug = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

function unique(id: string, used: Map<string, number>): string {
  const n = used.get(id) ?? 0
  used.set(id, n + 1)
  return n === 0 ? id : `${id}-${n}`
}

/** Without the marks of Markdown: a link is what it says, a name keeps its underscores. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/[|#>]|(?<!\w)_|_(?!\w)|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
