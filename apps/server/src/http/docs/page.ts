import { readFileSync } from 'node:fs'
import { errors, type Language, languageList, languages } from '@coffer/contract'
import { fiats, tokens } from '../../outside/prices/symbols.ts'
import { createdOrder, createdWithdrawal, firstOrder, newOrder, newWithdrawal, paidEvent } from './examples.ts'
import { codeBlock, codeTabs, escapeHtml, inline, table } from './html.ts'
import { docsTexts, guideIn } from './languages.ts'
import { type Parts, readSections } from './markdown.ts'
import { openApi } from './openapi.ts'
import type { KeyError } from './operations.ts'
import { type Document, reference } from './reference.ts'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The archive of the client in its newest version. */
export const newestSdk = `coffer-sdk-${JSON.parse(file('../../../../../packages/sdk/package.json')).version}.tgz`

/** Renders the documentation page. It is readable, and its tabs work, without scripts. */
export function docsPage(publicUrl: string, language: Language): string {
  const words = docsTexts[language].words
  const sections = readSections(guideIn(language), partsOf(publicUrl, language))
  const menu = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')
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
<link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/docs.css"><link rel="stylesheet" href="/docs/parts.css"><script src="/docs/docs.js" data-copy="${words.copy}" data-copied="${words.copied}" data-languages="${languageList.join(' ')}"></script></head>
<body><a class="skip" href="#text">${words.skip}</a>
<header><a class="brand" href="/">Coffer</a><span class="where">${words.title}</span>
<button type="button" id="theme" aria-label="${words.theme}" title="${words.theme}" hidden></button>
${others.join('')}</header>
<div class="columns"><nav aria-label="${words.contents}"><ul>${menu}</ul></nav>
<main id="text"><h1>${words.title}</h1><p class="intro">${words.intro}</p>
${sections.map(({ id, title, html }) => `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>\n${html}</section>`).join('\n')}
</main></div></body></html>`
}

/** The parts inserted into the guide: code shared by all languages, and content generated from the contract. */
function partsOf(publicUrl: string, language: Language): Parts {
  const words = docsTexts[language].words
  const pretty = (value: unknown) => JSON.stringify(value, null, 2)
  return {
    create: () =>
      codeTabs([
        { label: 'curl', code: curl(publicUrl, firstOrder) },
        { label: 'Node.js', code: client(publicUrl, firstOrder) },
      ]),
    pay: () => codeBlock(`curl ${publicUrl}/sandbox/pay -H "Content-Type: application/json" -d '{"trade_no": "..."}'`),
    currencies: () =>
      table(
        [words.type, words.currencies],
        [
          [words.tokens, codes(tokens)],
          [words.fiats, codes(fiats)],
        ],
      ),
    answer: () =>
      codeTabs([
        { label: words.request, code: curl(publicUrl, newOrder) },
        { label: words.answer, code: pretty({ code: 200, data: createdOrder(publicUrl) }) },
      ]),
    event: () => codeBlock(`${eventHeaders}\n\n${pretty(paidEvent(publicUrl))}`, 'POST'),
    verify: () =>
      codeTabs([
        { label: 'Node.js, @coffer/sdk', code: file('./verify/sdk.mjs.txt') },
        { label: 'Node.js', code: file('./verify/verify.mjs') },
        { label: 'Python', code: file('./verify/verify.py') },
        { label: 'PHP', code: file('./verify/verify.php.txt') },
        { label: 'Go', code: file('./verify/verify.go.txt') },
      ]),
    payout: () =>
      codeTabs([
        { label: words.request, code: curl(publicUrl, newWithdrawal, 'withdrawals') },
        { label: words.answer, code: pretty({ code: 200, data: createdWithdrawal }) },
        {
          label: 'Node.js',
          code: `const withdrawal = await coffer.createWithdrawal(${literal(newWithdrawal)})\nconsole.log(withdrawal.id, withdrawal.receives)`,
        },
      ]),
    install: () => codeBlock(`npm install ${publicUrl}/docs/${newestSdk}`),
    client: () => codeBlock(client(publicUrl, newOrder)),
    errors: () =>
      table(
        [words.code, words.status, words.meaning, words.whatToDo],
        (Object.entries(docsTexts[language].advice) as [KeyError, string][])
          .map(([name, advice]) => ({ ...errors[name], advice }))
          .sort((a, b) => a.code - b.code)
          .map(({ code, status, advice, ...text }) => [
            `<code>${code}</code>`,
            String(status),
            escapeHtml(text[language]),
            inline(advice),
          ]),
      ),
    reference: () =>
      reference({ document: openApi(publicUrl) as unknown as Document, publicUrl, language, ...docsTexts[language] }),
  }
}

const codes = (names: readonly string[]) => names.map(each => `<code>${each}</code>`).join(' ')

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
