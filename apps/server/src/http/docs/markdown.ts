import { codeBlock, codeTabs, inline, table } from './html.ts'

export interface Section {
  id: string
  title: string
  html: string
}

/** What `{{name}}` on a line of its own becomes. */
export type Parts = Record<string, () => string>

/**
 * Reads the little markdown that the documentation is written in: `## Title {#id}` begins a section, then `###`,
 * paragraphs, lists, tables, `> notes` and fenced code, whose info is its label; code blocks that follow each other are
 * alternatives. Gives the sections. Throws on a part that does not exist.
 */
export function readSections(text: string, parts: Parts): Section[] {
  return text
    .split(/^(?=## )/m)
    .filter(block => block.startsWith('## '))
    .map(block => {
      const [first = '', ...rest] = block.split('\n')
      const [, title, id] = /^## (.+) \{#([a-z-]+)\}$/.exec(first) ?? []
      if (!title || !id) throw new Error(`a section without an id: ${first}`)
      return { id, title, html: blocks(rest, parts) }
    })
}

function blocks(lines: string[], parts: Parts): string {
  const html: string[] = []
  let at = 0
  const take = (fits: (line: string) => boolean) => {
    const from = at
    while (at < lines.length && fits(lines[at] ?? '')) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') at++
    else if (line.startsWith('```')) html.push(code())
    else if (line.startsWith('### ')) html.push(`<h3>${inline(lines[at++]?.slice(4) ?? '')}</h3>`)
    else if (line.startsWith('{{')) html.push(part(lines[at++] ?? ''))
    else if (line.startsWith('| ')) html.push(readTable(take(each => each.startsWith('|'))))
    else if (line.startsWith('> '))
      html.push(
        `<p class="note">${inline(
          joined(
            take(each => each.startsWith('> ')),
            2,
          ),
        )}</p>`,
      )
    else if (line.startsWith('- ')) html.push(list('ul', /^- /))
    else if (/^\d+\. /.test(line)) html.push(list('ol', /^\d+\. /))
    else
      html.push(
        `<p>${inline(joined(take(each => each.trim() !== '' && !/^(?:```|#|\{\{|\| |> |- |\d+\. )/.test(each))))}</p>`,
      )
  }
  return html.join('\n')

  function part(text: string): string {
    const [, name = ''] = /^\{\{([a-z-]+)\}\}$/.exec(text) ?? []
    const make = parts[name]
    if (!make) throw new Error(`no such part: ${text}`)
    return make()
  }

  /** Items may go on in lines that begin below their text, code among them. */
  function list(tag: 'ul' | 'ol', start: RegExp): string {
    const items: string[] = []
    const indent = ' '.repeat(tag === 'ul' ? 2 : 3)
    while (start.test(lines[at] ?? '')) {
      const first = (lines[at++] ?? '').replace(start, '')
      const rest = take(
        each => each.startsWith(indent) || (each.trim() === '' && (lines[at + 1] ?? '').startsWith(indent)),
      )
      items.push(`<li>${blocks([first, ...rest.map(each => each.slice(indent.length))], parts)}</li>`)
      while ((lines[at] ?? 'x').trim() === '' && start.test(lines[at + 1] ?? '')) at++
    }
    return `<${tag}>${items.join('')}</${tag}>`
  }

  function code(): string {
    const tabs: { label: string; code: string }[] = []
    while ((lines[at] ?? '').startsWith('```')) {
      const label = (lines[at++] ?? '').slice(3)
      tabs.push({ label, code: take(each => !each.startsWith('```')).join('\n') })
      at++
    }
    const [only] = tabs
    return tabs.length === 1 && only ? codeBlock(only.code, only.label) : codeTabs(tabs)
  }
}

const joined = (lines: string[], skip = 0) => lines.map(line => line.slice(skip).trim()).join(' ')

function readTable(lines: string[]): string {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim())
  const [head = '', , ...rows] = lines
  return table(
    cells(head),
    rows.map(row => cells(row).map(inline)),
  )
}
