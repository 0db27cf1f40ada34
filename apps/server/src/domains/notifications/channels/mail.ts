import type { Deps } from '../../../deps.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import { isRefusedForGood } from '../../../outside/mail.ts'
import { describeReason } from '../describe-reason.ts'
import { type RenderedMail, renderEventMail } from '../event-mails.ts'
import { type Message, renderEither } from '../message.ts'
import { renderGroupMail } from '../render-group.ts'
import { defineChannel, describeError } from './channel.ts'

/** Where a server refuses one mail; elsewhere it takes none: it cannot be reached, or refuses login or sender. */
const refusedAt = ['RCPT TO', 'DATA']

/** Whether the mail server takes nothing at present, which 421 says anywhere. */
function isServerAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isServerAway)
  const { command = '', responseCode } = error as { command?: string; responseCode?: number }
  return responseCode === 421 || !refusedAt.includes(command)
}

/** Makes one attempt to send a mail. */
export async function sendMail(
  deps: Deps,
  { id, address }: Pick<Message, 'id' | 'address'>,
  mail: RenderedMail,
): Promise<Delivery> {
  try {
    await deps.mail.send({ to: address, ...mail, id })
    return { result: 'accepted' }
  } catch (error) {
    return isRefusedForGood(error)
      ? { result: 'refused', error: describeError(error) }
      : { result: 'later', error: describeError(error), isAway: isServerAway(error) }
  }
}

export const mailChannel = defineChannel<RenderedMail>({
  places: 10,
  render(deps, message) {
    const mail = renderEither<RenderedMail | undefined>(
      message,
      one => renderEventMail(deps, one),
      events => renderGroupMail(deps, events, message),
    )
    const reason = describeReason(deps, message)
    return mail && reason ? { ...mail, text: `${mail.text}\n${reason}\n` } : mail
  },
  send: sendMail,
})
