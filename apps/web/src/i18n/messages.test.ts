import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageList } from '@coffer/contract/languages.ts'
import { routes } from '../routes.ts'
import { type Area, areas as ofAll } from './areas.ts'
import { consoleAreas } from './console.ts'
import { pageAreas, sandboxAreas } from './pages.ts'
import { signInAreas } from './sign-in.ts'

const areas = { ...ofAll, ...signInAreas, ...pageAreas, ...sandboxAreas, ...consoleAreas }

/** An entry of a log, for the messages that name one. */
const entry = { type: 'login', outcome: 'done' }
const sampleOf = (name: string) => (/^(?:event|accountEvent)$/.test(name) ? entry : 2)

/** Flattens a message table to [path, text]; functions are called with sample arguments. */
function texts(table: object, path = ''): [string, string][] {
  return Object.entries(table).flatMap(([name, value]): [string, string][] => {
    const at = path ? `${path}.${name}` : name
    if (typeof value === 'string') return [[at, value]]
    if (typeof value === 'function')
      return [[at, String(value(...Array.from({ length: value.length }, () => sampleOf(name))))]]
    return texts(value, at)
  })
}

const latinNames = /^(?:Coffer|IP|ID|URL|USDT|English|Telegram|Slack|Discord|Lark|[A-Z]{2,5})$/
/** Fields of other programs, which are called as there, with what to enter. */
const quoted = /^places\.\w+\.fields\./
/** Words that a dialog may do without: both languages are empty then. */
const optionalWords = /\.(?:text|done|leave|unread|hint|no|yes)$/

for (const name of Object.keys(areas) as Area[]) {
  test(`${name}: messages are complete, and Chinese ones contain Chinese`, async () => {
    const [en, zh] = await Promise.all([areas[name].en(), areas[name]['zh-CN']()])
    const said = ([path, text]: [string, string]) => name !== 'dialogs' || text !== '' || !optionalWords.test(path)
    const english = texts(en.default as object).filter(said)
    const chinese = texts(zh.default as object).filter(said)
    assert.deepEqual(
      chinese.map(([path]) => path),
      english.map(([path]) => path),
    )
    for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
    for (const [path, text] of english) assert.doesNotMatch(text, /\p{Script=Han}/u, path)
    for (const [path, text] of chinese)
      if (!latinNames.test(text) && !quoted.test(path)) {
        assert.match(text, /[\p{Script=Han}：（]/u, path)
        assert.doesNotMatch(text, /\p{Script=Han}[,.:;!?]|[,:;!?] ?\p{Script=Han}/u, path)
      }
  })
}

/** The heading of each page by its path: its area and its key there. */
const headings = {
  '': ['dashboard', 'title'],
  statistics: ['statistics', 'title'],
  record: ['payments', 'title'],
  property: ['ledger', 'title'],
  appManage: ['applications', 'title'],
  callbackList: ['callbacks', 'title'],
  accountInfo: ['identity', 'title'],
  openAuth: ['onboarding', 'openTitle'],
  openAuthPage: ['onboarding', 'formTitle'],
  reviewing: ['onboarding', 'reviewTitle'],
  initPage: ['onboarding', 'initTitle'],
} as const

for (const language of languageList)
  test(`a page has one name, in the menu and as its heading (${language})`, async () => {
    for (const [page, [area, key]] of Object.entries(headings)) {
      const table = (await areas[area][language]()).default as unknown as Record<string, string>
      const { title } = routes.find(({ path }) => path === `/${page}`)!
      assert.equal(table[key], title[language], page)
    }
  })
