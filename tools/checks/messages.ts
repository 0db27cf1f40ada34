import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Check } from './check.ts'

const folder = 'apps/web/src/i18n'

/** Both languages have the same areas, and in each area the same messages, none of them empty. */
export const messages: Check = {
  name: 'messages',
  complaints: async root => {
    const areas = (language: string) =>
      globSync(`${folder}/${language}/*.ts`, { cwd: root })
        .map(path => basename(path))
        .sort()
    const [english, chinese] = [areas('en'), areas('zh-CN')]
    if (english.length === 0) return [`${folder}/en holds no messages`]
    const perArea = english
      .filter(area => chinese.includes(area))
      .map(async area => {
        const [en, zh] = await Promise.all(['en', 'zh-CN'].map(language => load(root, language, area)))
        return compare(area, en ?? {}, zh ?? {})
      })
    return [
      ...english
        .filter(area => !chinese.includes(area))
        .map(area => `${folder}/zh-CN/${area} is missing: translate it`),
      ...chinese.filter(area => !english.includes(area)).map(area => `${folder}/en/${area} is missing: write it`),
      ...(await Promise.all(perArea)).flat(),
    ]
  },
}

/** Every text of the pages in both languages; those that are functions are left out. */
export async function readMessages(root: string): Promise<{ en: string; zh: string }[]> {
  const perArea = globSync(`${folder}/en/*.ts`, { cwd: root }).map(async path => {
    const [en, zh] = await Promise.all(['en', 'zh-CN'].map(language => load(root, language, basename(path))))
    const chinese = new Map(entries(zh ?? {}))
    return entries(en ?? {}).flatMap(([key, text]) =>
      typeof text === 'string' ? [{ en: text, zh: String(chinese.get(key) ?? '') }] : [],
    )
  })
  return (await Promise.all(perArea)).flat()
}

type Table = Record<string, unknown>

async function load(root: string, language: string, area: string): Promise<Table> {
  const { default: table } = await import(pathToFileURL(join(root, folder, language, area)).href)
  return table
}

function compare(area: string, en: Table, zh: Table): string[] {
  const [first, second] = [flatten(en), flatten(zh)]
  return [
    ...[...first.keys()].filter(key => !second.has(key)).map(key => `zh-CN/${area} has no ${key}: translate it`),
    ...[...second.keys()].filter(key => !first.has(key)).map(key => `en/${area} has no ${key}: write it, or remove it`),
    ...[...first]
      .filter(([key, kind]) => second.has(key) && second.get(key) !== kind)
      .map(([key]) => `${area}: ${key} is text in one language and not in the other`),
    ...[...first].filter(([, kind]) => kind === 'empty').map(([key]) => `en/${area}: ${key} is empty`),
    ...[...second].filter(([, kind]) => kind === 'empty').map(([key]) => `zh-CN/${area}: ${key} is empty`),
  ]
}

/** Gives each message's path in its table and whether it is text or a function. */
const flatten = (table: Table): Map<string, string> =>
  new Map(entries(table).map(([key, value]) => [key, value === '' ? 'empty' : typeof value]))

/** Each message with its path in the table. */
const entries = (table: Table, path = ''): [key: string, value: unknown][] =>
  Object.entries(table).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? entries({ ...value }, `${path}${key}.`) : [[`${path}${key}`, value]],
  )
