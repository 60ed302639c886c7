/** The bundler gives the address. */
declare module '*.svg' {
  const address: string
  export default address
}

/** The bundler gives the text. */
declare module '*.css?inline' {
  const text: string
  export default text
}

/** What the bundler knows: true where pages are served as they are written. */
interface ImportMeta {
  readonly env: { readonly DEV: boolean }
}
