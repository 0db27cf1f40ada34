/** How long (ms) the second transport goes first after the first has failed. */
const avoidedMs = 60_000

/**
 * Returns a sender that tries the second transport when the first fails; for a minute after a failure the second goes
 * first, so that nobody waits for the time limit of a server that hangs. Without a second it is the first.
 * `isFinal` tells errors that the other transport would get, too. Rejects with the only error, or an AggregateError.
 */
export function withBackup<Message>(
  first: (message: Message) => Promise<void>,
  second: ((message: Message) => Promise<void>) | undefined,
  isFinal: (error: unknown) => boolean = () => false,
): (message: Message) => Promise<void> {
  if (!second) return first
  let avoidedUntil = 0
  return async message => {
    const isAvoided = performance.now() < avoidedUntil
    try {
      await (isAvoided ? second : first)(message)
    } catch (error) {
      if (isFinal(error)) throw error
      avoidedUntil = isAvoided ? 0 : performance.now() + avoidedMs
      await (isAvoided ? first : second)(message).catch(other => {
        throw isFinal(other) ? other : new AggregateError([error, other], 'neither transport accepted it')
      })
    }
  }
}
