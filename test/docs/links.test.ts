import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { renderGuide } from '../../src/api/guide-markdown.ts'

/** README, guides, decisions and every other page of the repository lead only to what is there. */

const root = join(import.meta.dirname, '../..')
const folders = ['docs', 'src', 'web', 'test', 'bench']

async function pages(): Promise<string[]> {
  const inside = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  )
  const all = [...(await readdir(root)), ...inside.flat()]
  return all.filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
}

function linksIn(source: string): string[] {
  const found: string[] = []
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') found.push(String(token['href']))
    },
  })
  marked.parse(source, { async: false })
  return found
}

const headingsIn = (source: string) =>
  new Set(renderGuide('page', source).sections.map(({ address }) => address.split('#')[1]))

test('no link of the repository is dead', async () => {
  const dead: string[] = []
  let followed = 0
  for (const page of await pages()) {
    for (const link of linksIn(await readFile(join(root, page), 'utf8'))) {
      if (/^[a-z]+:/i.test(link)) continue
      followed++
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      if (!existsSync(target)) dead.push(`${page}: ${link} is not there`)
      else if (relative(root, target).startsWith('..')) dead.push(`${page}: ${link} is outside of the repository`)
      else if (anchor && !headingsIn(await readFile(target, 'utf8')).has(anchor))
        dead.push(`${page}: ${link} has no such heading`)
    }
  }
  expect(dead).toEqual([])
  expect(followed).toBeGreaterThan(50)
})
