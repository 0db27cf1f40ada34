import { notificationType } from '@coffer/contract/codes.ts'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import { isText } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { insertForEverybody } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { MessageKey } from './messages.ts'

const titleMax = 100
const contentMax = 2_000

/** Tells every merchant something by a notification, which also runs through the ticker. Gives how many are told. */
export async function announce(
  deps: Deps,
  texts: Record<Language, { title: string; content: string }>,
): Promise<number> {
  const fits = (text: string, max: number) => isText(text) && text.length <= max
  for (const { title, content } of Object.values(texts)) {
    if (!fits(title, titleMax)) throw new Refusal('parameter_error', { field: 'title' })
    if (!fits(content, contentMax)) throw new Refusal('parameter_error', { field: 'content' })
  }
  const params = Object.fromEntries(
    languageList.flatMap(language => {
      const { title, content } = texts[language]
      return Object.entries({ title, content }).map(([name, text]) => [`${name}_${language.slice(0, 2)}`, text])
    }),
  )
  const message: MessageKey = 'announcement'
  return tx(deps.pool, (_, uow) =>
    insertForEverybody(uow, { types: notificationType.announcement, message, params, created_at: deps.clock() }),
  )
}
