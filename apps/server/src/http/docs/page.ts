import { readFileSync } from 'node:fs'
import { errors, type Language, languageList, languages } from '@coffer/contract'
import { fiats, tokens } from '../../outside/prices/symbols.ts'
import {
  createdWithdrawalExample,
  firstOrderExample,
  makeCreatedOrderExample,
  makePaidEventExample,
  newOrderExample,
  newRefundExample,
  newWithdrawalExample,
} from './examples.ts'
import type { OpenApiDocument } from './fields.ts'
import { escapeHtml } from './html.ts'
import { docsTexts, readGuide } from './languages.ts'
import {
  fillTemplateParts,
  formatMarkdownCode,
  formatMarkdownCodeTabs,
  type GuideSection,
  markdownTable,
  parseGuideSections,
  renderMarkdown,
  type TemplateParts,
} from './markdown.ts'
import { buildOpenApiDocument } from './openapi.ts'
import type { MerchantApiErrorName } from './operations.ts'
import { renderApiReference, renderApiReferenceMarkdown } from './reference.ts'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The archive of the client in its newest version. */
export const newestSdk = `coffer-sdk-${JSON.parse(file('../../../../../packages/sdk/package.json')).version}.tgz`

/** Renders the documentation page. It is readable, and its tabs work, without scripts. */
export function docsPage(publicUrl: string, language: Language): string {
  const words = docsTexts[language].words
  const sections = sectionsIn(publicUrl, language)
  const link = ({ id, title }: GuideSection) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`
  const menu = [...Map.groupBy(sections, ({ group }) => group)]
    .map(([group, list]) => `<li><p>${escapeHtml(group)}</p><ul>${list.map(link).join('')}</ul></li>`)
    .join('')
  const parts = { reference: () => renderApiReference(described(publicUrl, language)) }
  const others = languageList
    .filter(each => each !== language)
    .map(
      each =>
        `<a class="language" href="/docs?lang=${each}" lang="${each}" hreflang="${each}">${languages[each].name}</a>`,
    )
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${words.intro}">
<title>${words.title}</title>
<link rel="alternate" type="text/markdown" href="/docs.md?lang=${language}">
<link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/docs.css"><link rel="stylesheet" href="/docs/parts.css"><script src="/docs/docs.js" data-copy="${words.copy}" data-copied="${words.copied}" data-languages="${languageList.join(' ')}"></script></head>
<body><a class="skip" href="#text">${words.skip}</a>
<header><a class="brand" href="/">Coffer</a><span class="where">${words.title}</span>
<button type="button" id="theme" aria-label="${words.theme}" title="${words.theme}" hidden></button>
${others.join('')}</header>
<div class="columns"><nav aria-label="${words.contents}"><ul>${menu}</ul></nav>
<main id="text"><h1>${words.title}</h1><p class="intro">${words.intro}</p>
<p class="forms">${words.forms} <a href="/api/v1/openapi.json">OpenAPI 3.1</a> <a href="/docs.md?lang=${language}">Markdown</a> <a href="/llms.txt">llms.txt</a></p>
${sections.map(({ id, title, markdown }) => `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>\n${renderMarkdown(markdown, parts)}</section>`).join('\n')}
</main></div></body></html>`
}

/** The sections of the guide, with all parts but the reference. */
const sectionsIn = (publicUrl: string, language: Language): GuideSection[] =>
  parseGuideSections(fillTemplateParts(readGuide(language), partsOf(publicUrl, language)))

/** A page of the documentation as markdown, with links that lead from anywhere. */
export interface MarkdownPage {
  id: string
  title: string
  group: string
  text: string
}

/** Makes a page of each section. */
export function markdownPages(publicUrl: string, language: Language): MarkdownPage[] {
  const sections = sectionsIn(publicUrl, language)
  const parts = { reference: () => renderApiReferenceMarkdown(described(publicUrl, language)) }
  const isSection = new Set(sections.map(({ id }) => id))
  const query = language === languageList[0] ? '' : `?lang=${language}`
  const link = (_: string, path: string) => {
    const id = path.slice(1)
    if (path.startsWith('/')) return `](${publicUrl}${path})`
    return `](${publicUrl}/docs/${isSection.has(id) ? id : 'reference'}.md${query})`
  }
  return sections.map(({ id, title, group, markdown }) => ({
    id,
    title,
    group,
    text: `# ${title}\n\n${fillTemplateParts(markdown, parts).replace(/\]\(([#/][^()\]]*)\)/g, link)}\n`,
  }))
}

/** The index of the documentation for language models, as described at llmstxt.org. */
export function llmsTxt(publicUrl: string, language: Language, pages: MarkdownPage[]): string {
  const { title, intro } = docsTexts[language].words
  const query = language === languageList[0] ? '' : `?lang=${language}`
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(([group, those]) =>
    [`## ${group}`, '', ...those.map(({ id, title }) => `- [${title}](${publicUrl}/docs/${id}.md${query})`)].join('\n'),
  )
  const whole = [
    `- [OpenAPI 3.1](${publicUrl}/api/v1/openapi.json)`,
    `- [Markdown](${publicUrl}/docs.md${query})`,
    `- [MCP](${publicUrl}/mcp)`,
  ]
  return `# ${title}\n\n> ${intro}\n\n${groups.join('\n\n')}\n\n## Optional\n\n${whole.join('\n')}\n`
}

const described = (publicUrl: string, language: Language) => ({
  document: buildOpenApiDocument(publicUrl, language) as unknown as OpenApiDocument,
  publicUrl,
  language,
  ...docsTexts[language],
})

/**
 * The parts inserted into the guide, as markdown: code shared by all languages, and content generated from the
 * contract.
 */
function partsOf(publicUrl: string, language: Language): TemplateParts {
  const words = docsTexts[language].words
  const pretty = (value: unknown) => JSON.stringify(value, null, 2)
  return {
    create: () =>
      formatMarkdownCodeTabs([
        { label: 'curl', code: curl(publicUrl, firstOrderExample) },
        { label: 'Node.js', code: client(publicUrl, firstOrderExample) },
      ]),
    pay: () =>
      formatMarkdownCode(`curl ${publicUrl}/sandbox/pay -H "Content-Type: application/json" -d '{"trade_no": "..."}'`),
    currencies: () =>
      markdownTable(
        [words.type, words.currencies],
        [
          [words.tokens, codes(tokens)],
          [words.fiats, codes(fiats)],
        ],
      ),
    answer: () =>
      formatMarkdownCodeTabs([
        { label: words.request, code: curl(publicUrl, newOrderExample) },
        { label: words.answer, code: pretty({ code: 200, data: makeCreatedOrderExample(publicUrl) }) },
      ]),
    event: () => formatMarkdownCode(`${eventHeaders}\n\n${pretty(makePaidEventExample(publicUrl))}`, 'POST'),
    verify: () =>
      formatMarkdownCodeTabs([
        { label: 'Node.js, @coffer/sdk', code: file('./verify/sdk.mjs.txt') },
        { label: 'Node.js', code: file('./verify/verify.mjs') },
        { label: 'Python', code: file('./verify/verify.py') },
        { label: 'PHP', code: file('./verify/verify.php.txt') },
        { label: 'Go', code: file('./verify/verify.go.txt') },
      ]),
    payout: () =>
      formatMarkdownCodeTabs([
        { label: words.request, code: curl(publicUrl, newWithdrawalExample, 'withdrawals') },
        { label: words.answer, code: pretty({ code: 200, data: createdWithdrawalExample }) },
        {
          label: 'Node.js',
          code: `const withdrawal = await coffer.createWithdrawal(${literal(newWithdrawalExample)})\nconsole.log(withdrawal.id, withdrawal.receives)`,
        },
      ]),
    refund: () => formatMarkdownCode(curl(publicUrl, newRefundExample, 'refunds')),
    mcp: () =>
      formatMarkdownCode(
        pretty({
          mcpServers: {
            coffer: { type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: 'Bearer sk_...' } },
          },
        }),
        'JSON',
      ),
    embed: () =>
      formatMarkdownCode(
        `<script src="${publicUrl}/pay.js" async></script>\n<button data-coffer-pay="${publicUrl}/pay/...">Pay</button>`,
        'HTML',
      ),
    install: () => formatMarkdownCode(`npm install ${publicUrl}/docs/${newestSdk}`),
    client: () => formatMarkdownCode(client(publicUrl, newOrderExample)),
    errors: () =>
      markdownTable(
        [words.code, words.status, words.meaning, words.whatToDo],
        (Object.entries(docsTexts[language].advice) as [MerchantApiErrorName, string][])
          .map(([name, advice]) => ({ ...errors[name], advice }))
          .sort((a, b) => a.code - b.code)
          .map(each => [`\`${each.code}\``, String(each.status), each[language], each.advice]),
      ),
  }
}

const codes = (names: readonly string[]) => names.map(each => `\`${each}\``).join(' ')

const curl = (publicUrl: string, body: object, path = 'orders') => `curl ${publicUrl}/api/v1/pay/${path} \\
  -H "Authorization: Bearer $COFFER_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, 2)}'`

const client = (publicUrl: string, body: object) => `import { Coffer } from '@coffer/sdk'

const coffer = new Coffer({ baseUrl: '${publicUrl}', secretKey: process.env.COFFER_KEY })
const order = await coffer.createOrder(${literal(body)})
console.log(order.pay_url)`

/** An object as JavaScript. */
const literal = (body: object) =>
  JSON.stringify(body, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")

const eventHeaders = `webhook-id: 0197f2c4-8d1e-7c3a-9b52-6f0d1a4e8c77
webhook-timestamp: 1795253696
webhook-signature: v1,J5hXq3dYw0s3m2vS6n8Qm1fKc0v4bT9uZp7yE2aLx+o=`
