import { html } from 'lit'
import { define, Element } from '../parts/element.ts'

class Console extends Element {
  override render() {
    return html`<h1>Entrepot</h1>`
  }
}
define('ep-console', Console)
