import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cssPropertiesIn, customElementsManifest } from '../scripts/components/manifest.ts'
import { typeFiles } from '../scripts/components/types.ts'
import { commonMembers, commonParts, elements } from '../web/components/elements.ts'

/** What is said of the embedded elements, against what they are, and in the hands of four frameworks. */

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')

async function sources(): Promise<Map<string, string>> {
  const names = (await readdir(join(web, 'components'))).filter((name) => /^[a-z-]+\.ts$/.test(name))
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(web, 'components', name), 'utf8')] as const),
    ),
  )
}

const found = (text: string, what: RegExp): string[] => [...text.matchAll(what)].map(([, one = '']) => one)

describe('what is said of the elements', () => {
  test('names each of them', async () => {
    const all = [...(await sources()).values()].join('\n')
    expect(elements.map(({ tag }) => tag).toSorted()).toEqual(found(all, /define\('(entrepot-[a-z]+)'/g).toSorted())
  })

  test('names every attribute and property that a page may set', async () => {
    const files = await sources()
    const fieldsOf = (text: string) => {
      const block = /static override properties = \{(.*?)\n? *\}\n/s.exec(text)?.[1] ?? ''
      return [...block.matchAll(/(\w+): \{([^}]*)\}/g)]
        .filter(([, , options = '']) => !options.includes('state: true'))
        .map(([, property = '', options = '']) => {
          const named = /attribute: '([^']+)'/.exec(options)?.[1]
          return `${property} ${options.includes('attribute: false') ? null : (named ?? property.toLowerCase())}`
        })
        .toSorted()
    }
    const said = (members: typeof commonMembers) =>
      members.map(({ property, attribute }) => `${property} ${attribute}`).toSorted()
    // What the console hands over in the place of a token is nothing for a page.
    expect(fieldsOf(files.get('embedded.ts') ?? '').filter((one) => one !== 'session null')).toEqual(
      said(commonMembers),
    )
    for (const { tag, members } of elements) {
      const [, text = ''] = [...files].find(([, one]) => one.includes(`define('${tag}'`)) ?? []
      expect([tag, fieldsOf(text)]).toEqual([tag, said(members)])
    }
  })

  test('names every event and every part', async () => {
    const all = [...(await sources()).values()].join('\n')
    const events = elements.flatMap((one) => one.events.map(({ name }) => name))
    expect([...new Set(events)].toSorted()).toEqual([...new Set(found(all, /emit\(this, '([^']+)'/g))].toSorted())
    const parts = await Promise.all(
      ['problem', 'status', 'timeline'].map((name) => readFile(join(web, `parts/${name}.ts`), 'utf8')),
    )
    const drawn = new Set(found([all, ...parts].join('\n'), /\bpart="([a-z-]+)"/g))
    expect([...new Set([...elements.flatMap((one) => one.parts), ...commonParts])].toSorted()).toEqual(
      [...drawn].toSorted(),
    )
  })

  test('is a manifest that tools can read', async () => {
    const properties = cssPropertiesIn(await readFile(join(web, 'design/tokens.ts'), 'utf8'))
    expect(properties).toContain('--ep-accent')
    const { schemaVersion, modules } = JSON.parse(customElementsManifest(properties)) as Manifest
    const [module] = modules
    expect([schemaVersion, module?.path]).toEqual(['2.1.0', 'entrepot.js'])
    expect(module?.declarations.map(({ tagName }) => tagName)).toEqual(elements.map(({ tag }) => tag))
    expect(module?.exports.map(({ name }) => name)).toEqual(elements.map(({ tag }) => tag))
    for (const one of module?.declarations ?? []) {
      expect(one.attributes.map(({ name }) => name)).toContain('base-url')
      expect(one.cssProperties).toHaveLength(properties.length)
    }
  })
})

interface Manifest {
  schemaVersion: string
  modules: {
    path: string
    declarations: { tagName: string; attributes: { name: string }[]; cssProperties: unknown[] }[]
    exports: { name: string }[]
  }[]
}

/** A small page each. What is wrong has to be refused: the compiler complains about a comment that excuses nothing. */
const pages: Readonly<Record<string, string>> = {
  'react-page.tsx': `import './react.d.ts'
export const Page = ({ token }: { token: () => Promise<string> }) => (
  <main>
    <entrepot-connect service="shopify" getToken={token} className="wide"
      onentrepot-connected={(event) => console.log(event.detail.integration_id + 1, event.detail.shop.length)} />
    <entrepot-order number="1001" base-url="https://entrepot.example" lang="de" />
    {/* @ts-expect-error A number is text. */}
    <entrepot-order number={1001} />
    {/* @ts-expect-error There is no such detail. */}
    <entrepot-stock onentrepot-counted={(event) => event.detail.colour} />
  </main>
)
`,
  'vue-page.ts': `import { h, type GlobalComponents } from 'vue'
import './vue.d.ts'
type Props<Tag extends keyof GlobalComponents> = InstanceType<GlobalComponents[Tag]>['$props']
const right: Props<'entrepot-connect'> = {
  service: 'shopify',
  getToken: async () => 'token',
  onEntrepotConnected: (event) => console.log(event.detail.integration_id + 1),
}
// @ts-expect-error An integration is text.
const wrong: Props<'entrepot-logs'> = { integration: 12 }
// @ts-expect-error There is no such detail.
const event: Props<'entrepot-stock'> = { onEntrepotCounted: (one) => one.detail.colour }
export const page = () => h('main', [h('entrepot-connect', right), wrong, event] as never)
`,
  'svelte-page.ts': `import type { SvelteHTMLElements } from 'svelte/elements'
import './svelte.d.ts'
export const right: SvelteHTMLElements['entrepot-connect'] = {
  service: 'shopify',
  class: 'wide',
  'onentrepot-connected': (event) => console.log(event.detail.integration_id + 1),
}
// @ts-expect-error A number is text.
export const wrong: SvelteHTMLElements['entrepot-order'] = { number: 1001 }
`,
  'angular-page.ts': `import type { EntrepotConnect, EntrepotEvents } from './angular.d.ts'
export class ConnectPage {
  element!: { nativeElement: EntrepotConnect }
  ngAfterViewInit() {
    this.element.nativeElement.getToken = async () => 'token'
    // @ts-expect-error A service is text.
    this.element.nativeElement.service = 12
  }
  connected({ detail }: EntrepotEvents['entrepot-connected']) {
    return detail.integration_id + 1
  }
}
`,
  'plain-page.ts': `import './entrepot.d.ts'
const element = document.querySelector('entrepot-connect')
element?.addEventListener('entrepot-connected', ({ detail }) => console.log(detail.shop.length))
document.addEventListener('entrepot-counted', ({ detail }) => console.log(detail.quantity + 1))
document.createElement('entrepot-order').number = '1001'
// @ts-expect-error There is no such detail.
document.addEventListener('entrepot-uninstalled', ({ detail }) => detail.shop)
`,
}

describe('the types of the elements', () => {
  let folder: string

  beforeAll(async () => {
    const caches = join(root, 'node_modules/.cache')
    await mkdir(caches, { recursive: true })
    folder = await mkdtemp(join(caches, 'component-types-'))
    for (const [name, text] of Object.entries({ ...typeFiles(), ...pages })) await writeFile(join(folder, name), text)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(Object.keys(pages))('suit a %s', async (page) => {
    const compilerOptions = {
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
      ...{
        jsx: 'react-jsx',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
        allowImportingTsExtensions: true,
      },
    }
    const project = join(folder, `${page}.json`)
    await writeFile(project, JSON.stringify({ compilerOptions, files: [page] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const said = await promisify(execFile)(process.execPath, [compiler, '--project', project], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(said).toBe('')
  })
})
