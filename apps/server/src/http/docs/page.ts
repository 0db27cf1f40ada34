import { errors, errorText, type Language, type RouteDefinition, routes } from '@coffer/contract'
import { curlExample, pythonExample, sdkExample } from './examples.ts'
import { docsWords } from './words.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const safe = (text: string) => text.replace(/[&<>"]/g, sign => escapes[sign] ?? sign)
const paragraphs = (texts: readonly string[]) => texts.map(text => `<p>${safe(text)}</p>`).join('')
const code = (text: string) => `<pre tabindex="0"><code>${safe(text)}</code></pre>`
const row = (...cells: (string | number)[]) =>
  `<tr>${cells.map(cell => `<td>${safe(String(cell))}</td>`).join('')}</tr>`
const section = (id: string, title: string, body: string) =>
  `<section id="${id}"><h2>${safe(title)}</h2>${body}</section>`

/** The documentation for the merchant's developer, whole, without a script. */
export function docsPage(publicUrl: string, language: Language): string {
  const t = docsWords[language]
  const [first, second, third, fourth] = t.steps
  const sections = [
    [
      'start',
      t.start,
      `<ol><li>${safe(first)}</li><li>${safe(second)}${code(curlExample(publicUrl))}</li><li>${safe(third)}</li><li>${safe(fourth)}</li></ol><p>${safe(t.sdk)}</p>${code(sdkExample(publicUrl))}`,
    ],
    ['keys', t.auth, paragraphs(t.authText)],
    ['payments', t.orders, paragraphs(t.ordersText)],
    [
      'status',
      t.status,
      table(
        t.statuses.map((text, index) => row(index + 1, text)),
        ['#', t.meaning],
      ),
    ],
    ['callbacks', t.callbacks, `${paragraphs(t.callbacksText)}${code(pythonExample)}`],
    [
      'calls',
      t.reference,
      `${table(calls(), ['', '', t.meaning])}<p><a href="/api/v1/openapi.json">${safe(t.machine)}</a></p>`,
    ],
    ['errors', t.errors, `<p>${safe(t.errorsText)}</p>${table(errorRows(language), [t.code, t.http, t.meaning])}`],
  ] as const
  const menu = sections.map(([id, title]) => `<li><a href="#${id}">${safe(title)}</a></li>`).join('')
  const other = language === 'zh-CN' ? 'en-US' : 'zh-CN'
  return `<!doctype html>
<html lang="${language === 'zh-CN' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${safe(t.title)}</title><link rel="stylesheet" href="/docs/docs.css"></head>
<body><header><a class="brand" href="/">Coffer</a><a href="/docs?lang=${other}" lang="${other}">${safe(t.other)}</a></header>
<div class="columns"><nav aria-label="${safe(t.title)}"><ul>${menu}</ul></nav>
<main><h1>${safe(t.title)}</h1><p class="intro">${safe(t.intro)}</p>
${sections.map(([id, title, body]) => section(id, title, body)).join('\n')}</main></div></body></html>`
}

const table = (rows: string[], heads: readonly string[]) =>
  `<div class="wide" tabindex="0"><table><thead><tr>${heads.map(head => `<th>${safe(head)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`

const calls = () =>
  (Object.entries(routes) as [string, RouteDefinition][])
    .filter(([, { auth }]) => auth === 'key')
    .map(([key, { summary }]) => {
      const [method = '', path = ''] = key.split(' ')
      return `<tr><td>${method}</td><td><code>${safe(path)}</code></td><td>${safe(summary)}</td></tr>`
    })

const errorRows = (language: Language) =>
  (Object.keys(errors) as (keyof typeof errors)[]).map(name =>
    row(errors[name].code, errors[name].status, errorText(name, language)),
  )
