import { literal, type Names } from './names.ts'
import type { Tree } from './tree.ts'

const web = 'apps/web/src'

/** A page of the back-office: component, texts, its line in the table, and a browser test. */
export function newPage(tree: Tree, names: Names): void {
  const { domain, camel, kebab, pascal, titles } = names
  addPage(tree, names, { page: page(names), search: '' })
  addTexts(tree, names, { title: titles, empty: { en: 'Nothing here yet', zh: '暂无内容' } })
  tree.write(
    `e2e/${kebab}.e2e.test.ts`,
    `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newShop } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

test('the page ${domain}/${pascal}Page shows what its merchant has', async t => {
  const page = await newPage(t, { as: await newShop(url, 'Shop') })
  await page.goto(\`\${url}/${camel}\`)
  await page.getByRole('heading', { name: ${literal(titles.en)} }).waitFor()
  assert.fail('use the page as a merchant does')
})
`,
  )
}

/** Adds a component and its line in the table of pages, outside the menu. */
export function addPage(
  tree: Tree,
  { domain, camel, pascal, titles }: Names,
  { page, search }: { page: string; search: string },
): void {
  tree.write(`${web}/features/${domain}/${pascal}Page.tsx`, page)
  const line = `  {
    path: '/${camel}',
    title: { en: ${literal(titles.en)}, 'zh-CN': ${literal(titles.zh)} },
    desktop: '${domain}/${pascal}Page',
    messages: ['${domain}'],
${search}  },
`
  tree.insert(`${web}/routes.ts`, line, { before: '] as const satisfies Route[]' })
}

type Texts = Record<string, { en: string; zh: string }>

/** Adds texts under the name of the page to the area of the domain, which is made when it is new. */
export function addTexts(tree: Tree, { domain, domainValue, camel }: Names, texts: Texts): void {
  const file = (language: string) => `${web}/i18n/${language}/${domain}.ts`
  if (!tree.has(file('en'))) {
    tree.write(file('en'), 'export default {\n}\n')
    const chinese = `const ${domainValue}: typeof en = {\n}\n\nexport default ${domainValue}\n`
    tree.write(file('zh-CN'), `import type en from '../en/${domain}.ts'\n\n${chinese}`)
    const area = `  '${domain}': area({ en: () => import('./en/${domain}.ts'), 'zh-CN': () => import('./zh-CN/${domain}.ts') }),\n`
    tree.insert(`${web}/i18n/pages.ts`, area, { after: '  ...recordAreas,\n' })
  }
  const entries = (language: 'en' | 'zh') =>
    Object.entries(texts).map(([key, text]) => `${key}: ${literal(text[language])}`)
  tree.insert(file('en'), `\n  ${camel}: { ${entries('en').join(', ')} },`, { after: 'export default {' })
  tree.insert(file('zh-CN'), `\n  ${camel}: { ${entries('zh').join(', ')} },`, { after: ': typeof en = {' })
}

/** The text of an empty list. */
export const emptyOf = ({ titles: { en, zh } }: Names) => ({
  en: `No ${en.charAt(0).toLowerCase()}${en.slice(1)} yet`,
  zh: `暂无${zh}`,
})

const page = ({ domain, camel, pascal, titles }: Names) => `import { useMessages } from '../../i18n/messages.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

/** ${titles.en}. Reads by \`useQuery(apiQuery(...))\`, and sends by \`useSubmit\`. */
export default function ${pascal}Page() {
  const t = useMessages('${domain}').${camel}
  return (
    <>
      <PageHeader title={t.title} />
      <Card>
        <Empty title={t.empty} />
      </Card>
    </>
  )
}
`
