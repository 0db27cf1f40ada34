import { Marked, type Token } from 'marked'
import { codeBlock, codeTabs, escaping, inline, table } from './html.ts'

export interface Section {
  id: string
  title: string
  html: string
}

/** Renders the HTML that replaces a paragraph `{{name}}`. */
export type Parts = Record<string, () => string>

/**
 * Renders the markdown of the documentation: `## Title {#id}` begins a section, the info string of a code block is its label, and
 * adjacent code blocks become tabs. Throws Error on a section without an id and on an unknown part.
 */
export function readSections(text: string, parts: Parts): Section[] {
  const sections: { id: string; title: string; tokens: Token[] }[] = []
  for (const token of new Marked().lexer(text)) {
    if (token.type !== 'heading' || token.depth > 2) sections.at(-1)?.tokens.push(token)
    else if (token.depth === 2) {
      const [, title, id] = /^(.+) \{#([a-z-]+)\}$/.exec(token.text) ?? []
      if (!title || !id) throw new Error(`section without an id: ${token.text}`)
      sections.push({ id, title, tokens: [] })
    }
  }
  return sections.map(({ id, title, tokens }) => ({ id, title, html: blocks(tokens, parts) }))
}

function blocks(tokens: Token[], parts: Parts): string {
  const marked = new Marked(escaping, {
    renderer: {
      paragraph({ text, tokens }) {
        const [, name] = /^\{\{([a-z-]+)\}\}$/.exec(text) ?? []
        if (!name) return `<p>${this.parser.parseInline(tokens)}</p>`
        const part = parts[name]
        if (!part) throw new Error(`unknown part: ${name}`)
        return part()
      },
      blockquote: ({ text }) => `<p class="note">${inline(text)}</p>`,
      list: ({ ordered, items }) => {
        const tag = ordered ? 'ol' : 'ul'
        // Items of a tight list contain bare text: render it as paragraphs, as in a loose list.
        const paragraphs = (each: Token) => (each.type === 'text' ? { ...each, type: 'paragraph' } : each)
        const inner = items.map(({ tokens }) => `<li>${blocks(tokens.map(paragraphs), parts)}</li>`)
        return `<${tag}>${inner.join('')}</${tag}>`
      },
      table: ({ header, rows }) =>
        table(
          header.map(cell => cell.text),
          rows.map(row => row.map(cell => inline(cell.text))),
        ),
      code: ({ lang, text }) => codeBlock(text, lang),
    },
  })
  const html = tokens.map((token, at) => {
    if (token.type !== 'code') return marked.parser([token]).trimEnd()
    if (tokens[at - 1]?.type === 'code') return ''
    const tabs: { label: string; code: string }[] = []
    for (let next: Token | undefined = token; next?.type === 'code'; next = tokens[at + tabs.length])
      tabs.push({ label: next.lang ?? '', code: next.text })
    return tabs.length > 1 ? codeTabs(tabs) : marked.parser([token])
  })
  return html.filter(Boolean).join('\n')
}
