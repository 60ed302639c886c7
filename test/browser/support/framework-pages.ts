import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { build, type InlineConfig, type PluginOption } from 'vite'

/**
 * A page in each framework, written as its own guide says, that does the same: it hands the element a function as a property, changes its
 * language by a click, and shows what its own handler was told. Types are tried in `test/component-types.test.ts`.
 */
interface FrameworkPage {
  /** By name; the first is where the page begins. */
  files: Readonly<Record<string, string>>
  plugins?: PluginOption[]
  /** Compiles in the browser, which a policy has to allow. */
  evaluates?: boolean
}

const token = `async () => (await fetch('/token')).text()`

export const frameworkPages = {
  React: {
    files: {
      'page.tsx': `import { useState } from 'react'
import { createRoot } from 'react-dom/client'
const getToken = ${token}
function Page() {
  const [lang, setLang] = useState('en')
  const [told, setTold] = useState('nothing')
  return (
    <>
      <button onClick={() => setLang('de')}>Deutsch</button>
      <output>{told}</output>
      <entrepot-integrations getToken={getToken} lang={lang}
        onentrepot-changed={(event) => setTold('React was told of ' + event.detail.integration_id)} />
    </>
  )
}
createRoot(document.getElementById('app')).render(<Page />)
`,
    },
  },
  Vue: {
    files: {
      'page.ts': `import { createApp } from 'vue'
import Page from './page.vue'
createApp(Page).mount('#app')
`,
      'page.vue': `<script setup>
import { ref } from 'vue'
const getToken = ${token}
const lang = ref('en')
const told = ref('nothing')
const changed = (event) => {
  told.value = 'Vue was told of ' + event.detail.integration_id
}
</script>
<template>
  <button @click="lang = 'de'">Deutsch</button>
  <output>{{ told }}</output>
  <entrepot-integrations :getToken="getToken" :lang="lang" @entrepot-changed="changed" />
</template>
`,
    },
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('entrepot-') } } })],
  },
  Svelte: {
    files: {
      'page.ts': `import { mount } from 'svelte'
import Page from './page.svelte'
mount(Page, { target: document.getElementById('app') })
`,
      'page.svelte': `<script>
  const getToken = ${token}
  let lang = $state('en')
  let told = $state('nothing')
  const changed = (event) => {
    told = 'Svelte was told of ' + event.detail.integration_id
  }
</script>
<button onclick={() => (lang = 'de')}>Deutsch</button>
<output>{told}</output>
<entrepot-integrations {getToken} {lang} onentrepot-changed={changed}></entrepot-integrations>
`,
    },
    plugins: [svelte({ configFile: false })],
  },
  // By the compiler that Angular has for browsers: the one for builds (@angular/compiler-cli) wants TypeScript 6.0, and no other.
  Angular: {
    files: {
      'page.ts': `import '@angular/compiler'
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
const Page = Component({
  selector: '#app',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`<button (click)="lang.set('de')">Deutsch</button>
    <output>{{ told() }}</output>
    <entrepot-integrations [getToken]="getToken" [lang]="lang()" (entrepot-changed)="changed($event)"></entrepot-integrations>\`,
})(class {
  getToken = ${token}
  lang = signal('en')
  told = signal('nothing')
  changed(event) {
    this.told.set('Angular was told of ' + event.detail.integration_id)
  }
})
await bootstrapApplication(Page)
`,
    },
    evaluates: true,
  },
} satisfies Record<string, FrameworkPage>

/** The script of a page, as the framework's own compiler and the bundler make it. */
export async function buildPage({ files, plugins = [] }: FrameworkPage): Promise<string> {
  const caches = join(import.meta.dirname, '../../../node_modules/.cache')
  await mkdir(caches, { recursive: true })
  const root = await mkdtemp(join(caches, 'framework-page-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
    const [first = ''] = Object.keys(files)
    const config: InlineConfig = {
      root,
      configFile: false,
      logLevel: 'error',
      plugins,
      // As it is shipped, although tests build it.
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { runtime: 'automatic', development: false } },
      build: {
        outDir: 'out',
        minify: false,
        target: 'esnext',
        lib: { entry: first, formats: ['es'], fileName: () => 'page.js' },
      },
    }
    await build(config)
    return await readFile(join(root, 'out/page.js'), 'utf8')
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
