import { renderEventText } from '../event-mails.ts'
import { defineChannel, describeError } from './channel.ts'

/** Services say in their own ways that a number does not exist: whatever fails is tried again. */
export const textChannel = defineChannel<string>({
  places: 5,
  // Of what may cost money alone, each of which is its own message.
  render: (deps, { events: [first], ...reader }) => renderEventText(deps, { ...reader, ...first }),
  async send(deps, { address }, text) {
    try {
      await deps.text.send({ to: address, text })
      return { result: 'accepted' }
    } catch (error) {
      return { result: 'later', error: describeError(error), isAway: true }
    }
  },
})
