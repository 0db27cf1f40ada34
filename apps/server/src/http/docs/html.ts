import { Marked, type MarkedExtension, Renderer } from 'marked'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, including attribute values. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => escapes[sign] ?? sign)

/** Makes markdown safe: escapes HTML and images, and allows links only to https URLs and to our own pages. */
export const safeMarkdownExtension: MarkedExtension = {
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
const marked = new Marked(safeMarkdownExtension)

/** Renders inline markdown as HTML. */
export const renderInlineMarkdown = (text: string): string => marked.parseInline(text, { async: false })

/** Renders a block of code. */
export const renderCodeBlock = (code: string, label = ''): string =>
  `<div class="code">${label ? `<p class="label">${escapeHtml(label)}</p>` : ''}<pre tabindex="0"><code>${escapeHtml(code.replace(/\n$/, ''))}</code></pre></div>`

let groups = 0

/** Renders code in several languages as tabs. They are radio buttons, so no script is needed. */
export function renderCodeTabs(tabs: { label: string; code: string }[]): string {
  const name = `tabs-${++groups}`
  const inputs = tabs.map(
    ({ label, code }, index) =>
      `<input type="radio" name="${name}" id="${name}-${index}"${index === 0 ? ' checked' : ''}><label for="${name}-${index}">${escapeHtml(label)}</label>${renderCodeBlock(code)}`,
  )
  return `<fieldset class="tabs"><legend class="unseen">${escapeHtml(tabs.map(tab => tab.label).join(', '))}</legend>${inputs.join('')}</fieldset>`
}

/** Renders a table that scrolls horizontally on narrow pages. Cells are HTML. */
export function renderHtmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map(text => `<th scope="col">${renderInlineMarkdown(text)}</th>`).join('')
  const body = rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(heads.join(', '))}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
