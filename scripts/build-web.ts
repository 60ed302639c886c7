import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { InlineConfig, Plugin } from 'vite'
import { otherLanguages } from '../web/components/words/languages.ts'
import { cssPropertiesIn, customElementsManifest } from './components/manifest.ts'
import { typeFiles } from './components/types.ts'

/**
 * Pages and components, bundled into `web/dist`: `components/entrepot.js` as one file with a lasting name, everything of
 * the console under names that change with their content. `--if-stale` does nothing where nothing has changed.
 */
const root = join(import.meta.dirname, '..', 'web')
const out = join(root, 'dist')
const stamp = join(out, '.sources')

// The same, whoever asks for it: a run of the tests would get Lit as it is made for its own developers.
process.env['NODE_ENV'] = 'production'

/** Styles in templates are text to whoever makes scripts smaller: their comments and indents are left out here. */
const smallerStyles: Plugin = {
  name: 'smaller-styles',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || !code.includes('css`')) return null
    const small = (body: string) => body.replace(/\/\*.*?\*\//gs, '').replace(/\s*\n\s*/g, '\n')
    return { code: code.replace(/\bcss`([^`]*)`/g, (_, body: string) => `css\`${small(body)}\``), map: null }
  },
}

/** The console begins with a small script that loads the rest: the page names it all, so that nothing waits for that script to be read. */
const preloadRest: Plugin = {
  name: 'preload-rest',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { path, bundle, chunk }) {
      if (!chunk || !path.includes('console')) return []
      const files = new Set<string>()
      const add = (file: string) => {
        const one = bundle?.[file]
        if (one?.type !== 'chunk' || files.has(file)) return
        files.add(file)
        for (const next of one.imports) add(next)
      }
      for (const file of chunk.dynamicImports) add(file)
      const named = new Set([chunk.fileName, ...chunk.imports])
      return [...files]
        .filter((file) => !named.has(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        }))
    },
  },
}

const common: InlineConfig = {
  root,
  configFile: false,
  logLevel: 'warn',
  base: './',
  plugins: [smallerStyles],
}

/** Libraries keep their line breaks unless one says otherwise: elsewhere somebody bundles them again, here nobody does. */
const oneSmallFile = {
  codeSplitting: false,
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
}

const components: InlineConfig = {
  ...common,
  build: {
    outDir: join(out, 'components'),
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: join(root, 'components/entrepot.ts'), formats: ['es'], fileName: () => 'entrepot.js' },
    rolldownOptions: { output: oneSmallFile },
  },
}

/**
 * What few pages need is a file of its own, fetched by the element that needs it. It has all that it is made of in it: names last, so that one version may
 * meet another, and between them there is nothing but properties of an element.
 */
const apart = (source: string, file: string): InlineConfig => ({
  ...common,
  build: {
    outDir: join(out, 'components'),
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: join(root, 'components', source), formats: ['es'], fileName: () => file },
    rolldownOptions: { output: oneSmallFile },
  },
})

const pages: InlineConfig = {
  ...common,
  base: '/',
  plugins: [smallerStyles, preloadRest],
  build: {
    outDir: join(out, 'pages'),
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { console: join(root, 'console/index.html'), demo: join(root, 'demo/index.html') },
      // Served from there, under lasting names.
      external: /^\/components\//,
    },
  },
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(out))
    .sort()
}

/** What the result depends on, in one word. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const scripts = await filesIn(join(import.meta.dirname, 'components'))
  for (const file of [...(await filesIn(root)), ...scripts, import.meta.filename]) {
    hash.update(relative(root, file)).update(await readFile(file))
  }
  return hash.digest('hex')
}

/** Two subsets of Inter, under lasting names. */
async function copyTypeface(): Promise<void> {
  const files = join(root, '../node_modules/@fontsource-variable/inter/files')
  await copyFile(join(root, 'design/inter.css'), join(out, 'components/inter.css'))
  for (const subset of ['latin', 'latin-ext']) {
    await copyFile(join(files, `inter-${subset}-wght-normal.woff2`), join(out, `components/inter-${subset}.woff2`))
  }
}

/** For editors and compilers of those who embed them. */
async function describeElements(): Promise<void> {
  const properties = cssPropertiesIn(await readFile(join(root, 'design/tokens.ts'), 'utf8'))
  await writeFile(join(out, 'components/custom-elements.json'), customElementsManifest(properties))
  for (const [name, text] of Object.entries(typeFiles())) await writeFile(join(out, 'components', name), text)
}

const now = await fingerprint()
const isFresh = existsSync(stamp) && (await readFile(stamp, 'utf8')) === now
if (!(process.argv.includes('--if-stale') && isFresh)) {
  // Only now: most starts find everything as it should be. Without the development packages what is there must do.
  const { build } = await import('vite').catch(() => {
    process.stdout.write('web/dist is not built anew: the development packages are missing.\n')
    process.exit(process.argv.includes('--if-stale') ? 0 : 1)
  })
  await rm(out, { recursive: true, force: true })
  await build(components)
  await build(apart('stock.ts', 'stock.js'))
  for (const code of otherLanguages) await build(apart(`words/${code}.ts`, `words-${code}.js`))
  await build(pages)
  await copyTypeface()
  await describeElements()
  await writeFile(stamp, now)
  const bundle = await readFile(join(out, 'components/entrepot.js'))
  process.stdout.write(`web/dist: components ${(gzipSync(bundle).length / 1000).toFixed(1)} kB compressed\n`)
}
