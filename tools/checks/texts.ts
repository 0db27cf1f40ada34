import { errors, type Language } from '@coffer/contract'
import type { Check } from './check.ts'
import { readMessages } from './messages.ts'
import { refusals, words } from './specification.ts'

type Text = Record<Language, string>

/** Verifies that each specified text exists verbatim in English, ignoring case, and has a Chinese translation. */
export const specifiedTexts = (
  said: string[] = refusals,
  shown = words,
  catalogue: Record<string, Text> = errors,
): Check => ({
  name: 'texts of the specification',
  complaints: async root => {
    const missing = (texts: string[], table: Text[], where: string) =>
      texts.flatMap(text => {
        const found = table.filter(each => each.en.toLowerCase() === text.toLowerCase())
        if (found.length === 0) return [`"${text}" is specified and not in ${where}: add it`]
        return found.every(each => /\p{Script=Han}/u.test(each['zh-CN']))
          ? []
          : [`"${text}" has no Chinese in ${where}`]
      })
    return [
      ...missing(said, Object.values(catalogue), 'packages/contract/src/errors.ts'),
      ...missing(shown, await readMessages(root), 'apps/web/src/i18n'),
    ]
  },
})
