import { notificationType } from '@coffer/contract/codes.ts'
import { isText } from '@coffer/contract/validators.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { insertForEverybody } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { MessageKey } from './messages.ts'

const titleMax = 100
const contentMax = 2_000

/** A text in both languages of the back-office. */
interface Both {
  en: string
  zh: string
}

/** Tells every merchant something by a notification, which also runs through the ticker. Gives how many are told. */
export async function announce(deps: Deps, input: { title: Both; content: Both }): Promise<number> {
  const { title, content } = input
  const fits = (text: string, max: number) => isText(text) && text.length <= max
  if (!fits(title.en, titleMax) || !fits(title.zh, titleMax)) throw new Refusal('parameter_error', { field: 'title' })
  if (!fits(content.en, contentMax) || !fits(content.zh, contentMax))
    throw new Refusal('parameter_error', { field: 'content' })
  const params = { title_en: title.en, title_zh: title.zh, content_en: content.en, content_zh: content.zh }
  const message: MessageKey = 'announcement'
  return tx(deps.pool, (_, uow) =>
    insertForEverybody(uow, { types: notificationType.announcement, message, params, created_at: deps.clock() }),
  )
}
