import { notificationType } from '@coffer/contract/codes.ts'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import { isText } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { insertForEverybody } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { MessageKey } from './messages.ts'

const lengthMax = { title: 100, content: 2_000 }
const fields = ['title', 'content'] as const
const message: MessageKey = 'announcement'

/** Sends an announcement to every merchant and returns how many there are. */
export async function announce(
  deps: Deps,
  texts: Record<Language, { title: string; content: string }>,
): Promise<number> {
  const params: Record<string, string> = {}
  for (const language of languageList)
    for (const field of fields) {
      const text = texts[language][field]
      if (!isText(text) || text.length > lengthMax[field]) throw new Refusal('parameter_error', { field })
      params[`${field}_${language.slice(0, 2)}`] = text
    }
  return tx(deps.pool, (_, uow) =>
    insertForEverybody(uow, { types: notificationType.announcement, message, params, created_at: deps.clock() }),
  )
}
