/** The bundler gives the address. */
declare module '*.svg' {
  const address: string
  export default address
}
