/** What a request that brings a logo consists of. A form is a body of its own kind, which the types of JSON bodies do not know. */
export function logoUpload(file: File) {
  const form = new FormData()
  form.set('logo', file)
  return { body: form as never, bodySerializer: (body: unknown) => body as FormData }
}
