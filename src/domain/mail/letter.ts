import type { Message } from '../../runtime/mail/mailer.ts'

/** What is said to a person by mail. Plain sentences; where something is to be done, one link. */
export interface Letter {
  to: string
  subject: string
  paragraphs: readonly string[]
  link?: { label: string; url: string }
  /** What stands below the link. */
  small?: readonly string[]
}

export const textOf = ({ paragraphs, link, small = [] }: Letter): string =>
  [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...small, signature].join('\n\n')

const signature = '-- \nEntrepot'

/** Mail programs know little CSS, and none of ours: it stands at each element. */
export function htmlOf({ subject, paragraphs, link, small = [] }: Letter): string {
  const paragraph = (style: string) => (text: string) => `<p style="margin:0 0 16px;${style}">${escaped(text)}</p>`
  const button = ({ label, url }: NonNullable<Letter['link']>) =>
    `<p style="margin:24px 0"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#4346d3;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5b6472">Or copy this address into your browser:<br>${escaped(url)}</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1a1f27;background:#ffffff">
<div style="max-width:520px;overflow-wrap:anywhere">
${paragraphs.map(paragraph('')).join('\n')}
${link ? button(link) : ''}
${small.map(paragraph('font-size:13px;color:#5b6472')).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#5b6472">Entrepot</p>
</div></body></html>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

export const messageOf = (id: string, letter: Letter): Message => ({
  id,
  to: letter.to,
  subject: letter.subject.replace(/\s+/g, ' '),
  text: textOf(letter),
  html: htmlOf(letter),
})

/** Names are chosen by strangers: a letter of ours has room for a name, and not for a message. */
export const asName = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name)
