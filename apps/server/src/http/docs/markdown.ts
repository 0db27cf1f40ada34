import { Marked, type Token } from 'marked'
import {
  renderCodeBlock,
  renderCodeTabs,
  renderHtmlTable,
  renderInlineMarkdown,
  safeMarkdownExtension,
} from './html.ts'

export interface GuideSection {
  id: string
  title: string
  /** The task that it belongs to. */
  group: string
  /** Its text, without the title. */
  markdown: string
}

/** Make what replaces a paragraph `{{name}}`. */
export type TemplateParts = Record<string, () => string>

/**
 * Reads the sections of the guide: `# Title` begins a group of them, and `## Title {#id}` a section. Throws Error on a
 * section without an id.
 */
export function parseGuideSections(text: string): GuideSection[] {
  const sections: GuideSection[] = []
  let group = ''
  for (const token of new Marked().lexer(text)) {
    if (token.type === 'heading' && token.depth === 1) group = token.text
    else if (token.type === 'heading' && token.depth === 2) {
      const [, title, id] = /^(.+) \{#([a-z-]+)\}$/.exec(token.text) ?? []
      if (!title || !id) throw new Error(`section without an id: ${token.text}`)
      sections.push({ id, title, group, markdown: '' })
    } else {
      const section = sections.at(-1)
      if (section?.group === group) section.markdown += token.raw
    }
  }
  return sections.map(each => ({ ...each, markdown: each.markdown.trim() }))
}

/** Replaces the paragraphs `{{name}}` for which there are parts, in markdown. */
export const fillTemplateParts = (markdown: string, parts: TemplateParts): string =>
  markdown.replace(/^( *)\{\{([a-z-]+)\}\}$/gm, (whole, indent: string, name: string) =>
    parts[name] ? parts[name]().replace(/^(?=.)/gm, indent) : whole,
  )

/** Markdown of code with a label. Adjacent ones become tabs. */
export const formatMarkdownCode = (text: string, label = ''): string =>
  `\`\`\`${label}\n${text.replace(/\n$/, '')}\n\`\`\``

/** Markdown of code in several languages. */
export const formatMarkdownCodeTabs = (each: { label: string; code: string }[]): string =>
  each.map(({ label, code: text }) => formatMarkdownCode(text, label)).join('\n')

/** Markdown of a table. Cells are markdown. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/**
 * Renders markdown as HTML: the info string of a code block is its label, and adjacent code blocks become tabs. `parts`
 * make HTML. Throws Error on an unknown part.
 */
export const renderMarkdown = (markdown: string, parts: TemplateParts): string =>
  blocks(new Marked().lexer(markdown), parts)

function blocks(tokens: Token[], parts: TemplateParts): string {
  const marked = new Marked(safeMarkdownExtension, {
    renderer: {
      paragraph({ text, tokens }) {
        const [, name] = /^\{\{([a-z-]+)\}\}$/.exec(text) ?? []
        if (!name) return `<p>${this.parser.parseInline(tokens)}</p>`
        const part = parts[name]
        if (!part) throw new Error(`unknown part: ${name}`)
        return part()
      },
      blockquote: ({ text }) => `<p class="note">${renderInlineMarkdown(text)}</p>`,
      list: ({ ordered, items }) => {
        const tag = ordered ? 'ol' : 'ul'
        // Items of a tight list contain bare text: render it as paragraphs, as in a loose list.
        const paragraphs = (each: Token) => (each.type === 'text' ? { ...each, type: 'paragraph' } : each)
        const inner = items.map(({ tokens }) => `<li>${blocks(tokens.map(paragraphs), parts)}</li>`)
        return `<${tag}>${inner.join('')}</${tag}>`
      },
      table: ({ header, rows }) =>
        renderHtmlTable(
          header.map(cell => cell.text),
          rows.map(row => row.map(cell => renderInlineMarkdown(cell.text))),
        ),
      code: ({ lang, text }) => renderCodeBlock(text, lang),
    },
  })
  const html = tokens.map((token, at) => {
    if (token.type !== 'code') return marked.parser([token]).trimEnd()
    if (tokens[at - 1]?.type === 'code') return ''
    const tabs: { label: string; code: string }[] = []
    for (let next: Token | undefined = token; next?.type === 'code'; next = tokens[at + tabs.length])
      tabs.push({ label: next.lang ?? '', code: next.text })
    return tabs.length > 1 ? renderCodeTabs(tabs) : marked.parser([token])
  })
  return html.filter(Boolean).join('\n')
}
