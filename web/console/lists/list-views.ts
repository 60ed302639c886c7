import { html, type ReactiveControllerHost, type TemplateResult } from 'lit'
import type { Menu } from '../../parts/menu.ts'
import { toast } from '../../parts/toast.ts'
import { formDialog } from '../ask-form.ts'
import { field, valuesOf } from '../form.ts'
import { withQuery } from '../router.ts'
import { deleteView, type Looks, readViews, saveView, type View, viewMenu } from './views.ts'

/** The page that shows the list. */
interface Viewed extends ReactiveControllerHost {
  app: string
  file: View['list']
  query: URLSearchParams
  filters: readonly string[]
  shownColumns: readonly string[] | null
  showColumns(columns: readonly string[] | null): void
  renderRoot: ParentNode
}

/** What a list can be seen as, by names that somebody has given: the menu of them, and the question for a new one. */
export class ListViews {
  #host: Viewed
  #views: readonly View[] = []
  #naming = false
  #refusal: unknown = null

  constructor(host: Viewed) {
    this.#host = host
  }

  /** A list without its views is a list all the same. */
  async read(): Promise<void> {
    const { app, file } = this.#host
    const views = await readViews(app, file).catch(() => [])
    if (app !== this.#host.app) return
    this.#views = views
    this.#host.requestUpdate()
  }

  /** What is in sight, as a view keeps it. */
  get #looks(): Looks {
    const { filters, query, shownColumns: columns } = this.#host
    const given = ['integration', ...filters].flatMap((name) => {
      const value = query.get(name)
      return value ? [{ name, value }] : []
    })
    return { filters: given, columns }
  }

  #addressOf = ({ filters }: View): string => {
    const none = Object.fromEntries(['integration', 'after', ...this.#host.filters].map((name) => [name, null]))
    return withQuery({ ...none, ...Object.fromEntries(filters.map(({ name, value }) => [name, value])) })
  }

  #closeMenus(): void {
    for (const menu of this.#host.renderRoot.querySelectorAll<Menu>('ep-menu')) menu.close()
  }

  #ask(naming: boolean): void {
    this.#naming = naming
    this.#refusal = null
    this.#host.requestUpdate()
  }

  #save = async (form: HTMLFormElement) => {
    const { name = '' } = valuesOf(form)
    const { app, file } = this.#host
    try {
      await saveView(app, file, name, this.#looks)
      form.reset()
      this.#ask(false)
      toast(`“${name}” has been saved.`)
    } catch (error) {
      this.#refusal = error
    }
    await this.read()
  }

  #delete = async ({ id, name }: View) => {
    try {
      await deleteView(this.#host.app, id)
      toast(`“${name}” has been deleted.`)
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
    await this.read()
  }

  menu(): TemplateResult {
    return viewMenu({
      views: this.#views,
      now: this.#looks,
      addressOf: this.#addressOf,
      onOpen: ({ columns }) => {
        this.#host.showColumns(columns)
        this.#closeMenus()
      },
      onSave: () => {
        this.#closeMenus()
        this.#ask(true)
      },
      onDelete: (view) => void this.#delete(view),
    })
  }

  dialog(): TemplateResult {
    const failure = this.#refusal
    const help = 'Filters and columns as they are now. A view of the same name is replaced.'
    return html`${formDialog({
      heading: 'Save this view',
      open: this.#naming,
      failure,
      fields: field({ name: 'name', label: 'Name', help, failure }),
      action: 'Save view',
      onSubmit: (form) => this.#save(form),
      onClose: () => this.#ask(false),
    })}`
  }
}
