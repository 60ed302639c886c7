import { command } from './command.ts'

export const openApiCommand = command({
  name: 'openapi',
  summary: 'Print the OpenAPI document',
  options: {},
  async run(_values, output) {
    const [{ endpoints }, { apiDocument }] = await Promise.all([
      import('../api/index.ts'),
      import('../api/openapi-page.ts'),
    ])
    const document = apiDocument(endpoints)
    output.result(document, JSON.stringify(document, null, 2))
  },
})
