import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import type { Check } from './check.ts'

const folder = 'apps/web/src/i18n'

const others = languageList.filter(language => language !== 'en')
const areasOf = (root: string, language: Language) =>
  globSync(`${folder}/${language}/*.ts`, { cwd: root })
    .map(path => basename(path))
    .sort()

/** Verifies that all languages have the same areas and messages, and that no message is empty. */
export const messages: Check = {
  name: 'messages',
  complaints: async root => {
    const english = areasOf(root, 'en')
    if (english.length === 0) return [`${folder}/en holds no messages`]
    const perLanguage = others.map(async language => {
      const translated = areasOf(root, language)
      const shared = english.filter(area => translated.includes(area))
      const perArea = shared.map(async area =>
        compare(area, language, await load(root, 'en', area), await load(root, language, area)),
      )
      return [
        ...english
          .filter(area => !shared.includes(area))
          .map(area => `${folder}/${language}/${area} is missing: translate it`),
        ...translated.filter(area => !shared.includes(area)).map(area => `${folder}/en/${area} is missing: write it`),
        ...(await Promise.all(perArea)).flat(),
      ]
    })
    return (await Promise.all(perLanguage)).flat()
  },
}

/** Reads every message in each language, except functions. */
export async function readMessages(root: string): Promise<Record<Language, string>[]> {
  const perArea = areasOf(root, 'en').map(async area => {
    const tables = await Promise.all(
      languageList.map(async language => [language, new Map(entries(await load(root, language, area)))] as const),
    )
    const keys = tables.flatMap(([language, table]) => (language === 'en' ? [...table] : []))
    return keys.flatMap(([key, text]) =>
      typeof text === 'string'
        ? [Object.fromEntries(tables.map(([language, table]) => [language, String(table.get(key) ?? '')]))]
        : [],
    )
  })
  return (await Promise.all(perArea)).flat() as Record<Language, string>[]
}

type Table = Record<string, unknown>

async function load(root: string, language: Language, area: string): Promise<Table> {
  const { default: table } = await import(pathToFileURL(join(root, folder, language, area)).href)
  return table
}

function compare(area: string, language: Language, english: Table, translated: Table): string[] {
  const first = flatten(english)
  const second = flatten(translated)
  const place = `${language}/${area}`
  return [
    ...[...first.keys()].filter(key => !second.has(key)).map(key => `${place} has no ${key}: translate it`),
    ...[...second.keys()].filter(key => !first.has(key)).map(key => `en/${area} has no ${key}: write it, or remove it`),
    ...[...first]
      .filter(([key, kind]) => second.has(key) && second.get(key) !== kind)
      .map(([key]) => `${area}: ${key} is text in one language and not in the other`),
    ...[...first].filter(([, kind]) => kind === 'empty').map(([key]) => `en/${area}: ${key} is empty`),
    ...[...second].filter(([, kind]) => kind === 'empty').map(([key]) => `${place}: ${key} is empty`),
  ]
}

/** Maps each message's path in its table to its kind: text or function. */
const flatten = (table: Table): Map<string, string> =>
  new Map(entries(table).map(([key, value]) => [key, value === '' ? 'empty' : typeof value]))

/** Returns each message with its path in the table. */
const entries = (table: Table, path = ''): [key: string, value: unknown][] =>
  Object.entries(table).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? entries({ ...value }, `${path}${key}.`) : [[`${path}${key}`, value]],
  )
