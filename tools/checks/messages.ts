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
function flatten(table: Table, path = ''): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'object' && value !== null) return [...flatten({ ...value }, `${path}${key}.`)]
      return [[`${path}${key}`, value === '' ? 'empty' : typeof value]]
    }),
  )
}
