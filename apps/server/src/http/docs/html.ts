import { Marked, type MarkedExtension, Renderer } from 'marked'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML, in attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => escapes[sign] ?? sign)

/** Markdown as HTML without what the text could smuggle in: HTML is shown as text, and links lead to https or to us. */
export const escaping: MarkedExtension = {
  renderer: {
    html: ({ raw }) => escapeHtml(raw),
    image: ({ raw }) => escapeHtml(raw),
    link({ raw, href, tokens }) {
      if (!/^(?:https:\/\/|[#/])/.test(href)) return escapeHtml(raw)
      return `<a href="${escapeHtml(href)}">${this.parser.parseInline(tokens)}</a>`
    },
    text(token) {
      return Renderer.prototype.text.call(this, token).replaceAll('\n', ' ')
    },
  },
}
const marked = new Marked(escaping)

/** One paragraph of markdown as HTML. */
export const inline = (text: string): string => marked.parseInline(text, { async: false })

/** A block of code. */
export const codeBlock = (code: string, label = ''): string =>
  `<div class="code">${label ? `<p class="label">${escapeHtml(label)}</p>` : ''}<pre tabindex="0"><code>${escapeHtml(code.replace(/\n$/, ''))}</code></pre></div>`

let groups = 0

/** The same in several languages, one shown at a time; radio buttons, so that it needs no script. */
export function codeTabs(tabs: { label: string; code: string }[]): string {
  const name = `tabs-${++groups}`
  const inputs = tabs.map(
    ({ label, code }, index) =>
      `<input type="radio" name="${name}" id="${name}-${index}"${index === 0 ? ' checked' : ''}><label for="${name}-${index}">${escapeHtml(label)}</label>${codeBlock(code)}`,
  )
  return `<fieldset class="tabs"><legend class="unseen">${escapeHtml(tabs.map(tab => tab.label).join(', '))}</legend>${inputs.join('')}</fieldset>`
}

/** A table whose cells are HTML; it scrolls inside itself where the page is narrow. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map(text => `<th scope="col">${inline(text)}</th>`).join('')
  const body = rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(heads.join(', '))}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
